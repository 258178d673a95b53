//! Runs the schedules of [`qtdec_mpi`] outside of its own simulator.
//!
//! With the feature `simgrid`, [`simgrid`] runs them in [SimGrid](https://simgrid.org), which is linked dynamically. Without
//! it this package needs nothing but Rust.

pub mod agenda;
pub mod platform;
pub mod points;
#[cfg(feature = "simgrid")]
pub mod simgrid;
