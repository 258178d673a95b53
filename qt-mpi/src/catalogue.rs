//! MPI libraries, their algorithms, and what each of them needs.

pub mod release;

pub use release::{InvalidRelease, Release};
