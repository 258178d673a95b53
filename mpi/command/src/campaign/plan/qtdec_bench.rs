//! The benchmark of this project, `qtdec-bench`: it measures a whole grid in one launch.

use qtdec_mpi_run::abilities::{self, REPEATS, WARM_UP};

use super::benchmark::Benchmark;

/// `qtdec-bench`.
pub(super) const QTDEC_BENCH: Benchmark = Benchmark {
    name: "qtdec-bench",
    title: "qtdec-bench of `qtdec-mpi build`",
    program: |_| "qtdec-bench".to_owned(),
    functions: include_str!("script/qtdec_bench.sh"),
    // At most, with the calls that do not count: slow algorithms drop out.
    calls: |_| u64::from(WARM_UP + REPEATS),
    // The ranks agree on a start that is 0.4 ms ahead or later.
    pause: 1e-3,
    most_seconds: None,
    divides_size_of: &[],
    collectives: abilities::collectives,
    switches: Some(abilities::switches),
};
