//! OSU micro-benchmarks, one program per collective.

use super::benchmark::{Benchmark, without_scans};

/// The OSU micro-benchmarks.
#[derive(Debug)]
pub(super) struct Osu;

impl Benchmark for Osu {
    fn name(&self) -> &'static str {
        "osu"
    }

    fn title(&self) -> &'static str {
        "the OSU micro-benchmarks"
    }

    fn program(&self, collective: &str) -> String {
        format!("osu_{collective}")
    }

    fn functions(&self) -> &'static str {
        include_str!("script/osu.sh")
    }

    /// With the calls that come before those that are measured (`COLL_LOOP_SMALL`, `COLL_SKIP_SMALL`, … of `osu_util.h`).
    fn calls(&self, bytes: u64) -> u64 {
        if bytes <= 8192 { 1100 } else { 110 }
    }

    fn divides_size(&self, collective: &str) -> bool {
        ["reduce_scatter", "reduce_scatter_block"].contains(&collective)
    }

    fn collectives(&self) -> Option<Vec<&'static str>> {
        Some(without_scans())
    }
}
