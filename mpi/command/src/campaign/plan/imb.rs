//! Intel MPI Benchmarks: `IMB-MPI1`.

use super::benchmark::{Benchmark, without_scans};

/// The Intel MPI Benchmarks.
pub(super) const IMB: Benchmark = Benchmark {
    name: "imb",
    title: "the Intel MPI Benchmarks",
    program: |_| "IMB-MPI1".to_owned(),
    functions: include_str!("script/imb.sh"),
    // At most (`-iter`).
    calls: |bytes| ((40 << 20) / bytes.max(1)).clamp(1, 1000),
    pause: 0.0,
    // The option `-time`.
    most_seconds: Some(10.0),
    divides_size_of: &["reduce_scatter"],
    collectives: without_scans,
    switches: None,
};
