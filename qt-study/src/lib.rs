//! Measured times: readers of benchmark output, canonical times, the maps made from them, and studies of what decisions cost.
//!
//! **The API is not stable.** The programs `qtdec` (package `qtdec-cli`) and `qtdec-mpi` are built on it.

pub mod canonical;
pub mod hold_out;
pub mod launches;
pub mod measurements;
pub mod notes;
pub mod observed;
pub mod profile;
pub mod readers;
pub mod selection;
pub mod size;
pub mod study;
pub mod terms;

pub use qtdec_times::about;
