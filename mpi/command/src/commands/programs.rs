//! Programs that run with MPI: the benchmark, the profiler, the interposer.

pub(crate) mod build;
pub(crate) mod observe;
