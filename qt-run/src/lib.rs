//! Runs the schedules of [`qtdec_mpi`] outside its own simulator.
//!
//! With the feature `simgrid`, the module `simgrid` runs them in [SimGrid](https://simgrid.org), which is linked dynamically. Without
//! it this package needs only Rust.

pub mod agenda;
pub mod platform;
pub mod points;
#[cfg(feature = "simgrid")]
pub mod simgrid;
