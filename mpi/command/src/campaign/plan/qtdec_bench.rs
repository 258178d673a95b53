//! The benchmark of this project, `qtdec-bench`: it measures a whole grid in one launch.

use qtdec_mpi_run::abilities::{self, REPEATS, WARM_UP};

use super::benchmark::Benchmark;
use super::library::MeasuredLibrary;

/// `qtdec-bench`.
#[derive(Debug)]
pub(super) struct QtdecBench;

impl Benchmark for QtdecBench {
    fn name(&self) -> &'static str {
        "qtdec-bench"
    }

    fn title(&self) -> &'static str {
        "qtdec-bench of `qtdec-mpi build`"
    }

    fn program(&self, _collective: &str) -> String {
        self.name().to_owned()
    }

    fn functions(&self) -> &'static str {
        include_str!("script/qtdec_bench.sh")
    }

    /// At most, with the calls that do not count: slow algorithms drop out.
    fn calls(&self, _bytes: u64) -> u64 {
        u64::from(WARM_UP + REPEATS)
    }

    /// The ranks agree on a start that is 0.4 ms ahead or later.
    fn pause(&self) -> f64 {
        1e-3
    }

    fn collectives(&self) -> Option<Vec<&'static str>> {
        Some(abilities::collectives())
    }

    fn measures_grids(&self) -> bool {
        true
    }

    fn switches(&self, library: &dyn MeasuredLibrary, collective: &str) -> bool {
        abilities::switches(library.library(), collective)
    }
}
