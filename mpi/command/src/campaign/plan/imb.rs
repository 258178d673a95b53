//! Intel MPI Benchmarks: `IMB-MPI1`.

use super::benchmark::{Benchmark, without_scans};

/// The Intel MPI Benchmarks.
#[derive(Debug)]
pub(super) struct Imb;

impl Benchmark for Imb {
    fn name(&self) -> &'static str {
        "imb"
    }

    fn title(&self) -> &'static str {
        "the Intel MPI Benchmarks"
    }

    fn program(&self, _collective: &str) -> String {
        "IMB-MPI1".to_owned()
    }

    fn functions(&self) -> &'static str {
        include_str!("script/imb.sh")
    }

    /// At most (`-iter`).
    fn calls(&self, bytes: u64) -> u64 {
        ((40 << 20) / bytes.max(1)).clamp(1, 1000)
    }

    /// The option `-time`.
    fn most_seconds(&self) -> Option<f64> {
        Some(10.0)
    }

    fn divides_size(&self, collective: &str) -> bool {
        collective == "reduce_scatter"
    }

    fn collectives(&self) -> Option<Vec<&'static str>> {
        Some(without_scans())
    }
}
