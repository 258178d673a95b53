//! Runs the schedules of [`qtdec_mpi_schedule`] outside its own simulator.
//!
//! [`execution::Execution`] carries out the schedule of one rank over a [`transport::Transport`]. The one of users is MPI, of which
//! this package knows a table of functions: [`rim`] has the text of programs in C that fill it, and the static library of this package is
//! the rest of them. The one of tests is in memory, where messages take any order that MPI allows.

pub mod abilities;
#[cfg(unix)]
pub mod bench;
pub mod compositions;
pub mod execution;
#[cfg(unix)]
mod ffi;
#[cfg(unix)]
mod interposer;
#[cfg(unix)]
pub mod mpi;
pub mod own;
#[cfg(unix)]
mod placement;
#[cfg(unix)]
pub mod profiler;
#[cfg(unix)]
mod replace;
pub mod rim;
pub mod transport;
