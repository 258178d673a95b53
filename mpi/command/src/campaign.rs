//! Measuring campaigns: job scripts that measure every algorithm of an MPI library.

pub mod measure;
