//! Three choices that have nothing to do with MPI.

pub mod matmul;
pub mod sort;
pub mod threads;
