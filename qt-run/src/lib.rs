//! Runs the schedules of [`qtdec_mpi`] outside its own simulator.
//!
//! [`execution::Execution`] carries out the schedule of one rank over a [`transport::Transport`]. There is one in memory
//! ([`memory`]), in which messages take any order that MPI allows.
//!
//! With the feature `simgrid`, the module `simgrid` runs them in [SimGrid](https://simgrid.org), which is linked dynamically. Without
//! it this package needs only Rust.

pub mod agenda;
pub mod execution;
pub mod memory;
pub mod platform;
pub mod points;
#[cfg(feature = "simgrid")]
pub mod simgrid;
pub mod transport;
