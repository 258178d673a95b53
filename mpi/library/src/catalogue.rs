//! MPI libraries and their collective algorithms. Each algorithm is described once, with everything known about it.
//!
//! There is one file per library. Code that measures algorithms, writes, reads or checks tuning files, or evaluates
//! hand-written rules looks here.

mod algorithm;
pub mod intel_mpi;
mod library;
mod matching;
pub mod mpich;
pub mod open_mpi;
mod placement;
mod release;
mod tuned_collective;
mod unit;
mod unreached;

#[cfg(test)]
mod tests;

pub use algorithm::{Algorithm, Measured, Need, Segments, When, is_by_nodes};
pub use library::Library;
pub use matching::{Matching, no_method, parameter, without_parameters};
pub use placement::Placement;
pub use qtdec_times::collective::{BARRIER, FUNCTIONS, natural_basis, natural_basis_or_buffer};
pub use release::{Lack, Lifetime, Release};
pub use tuned_collective::TunedCollective;
pub use unit::SizeUnit;
pub use unreached::Unreached;
