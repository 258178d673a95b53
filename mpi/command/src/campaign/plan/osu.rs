//! OSU micro-benchmarks, one program per collective.

use super::benchmark::{Benchmark, without_scans};

/// The OSU micro-benchmarks.
pub(super) const OSU: Benchmark = Benchmark {
    name: "osu",
    title: "the OSU micro-benchmarks",
    program: |collective| format!("osu_{collective}"),
    functions: include_str!("script/osu.sh"),
    // With the calls that come before those that are measured (`COLL_LOOP_SMALL`, `COLL_SKIP_SMALL`, … of `osu_util.h`).
    calls: |bytes| if bytes <= 8192 { 1100 } else { 110 },
    pause: 0.0,
    most_seconds: None,
    divides_size_of: &["reduce_scatter", "reduce_scatter_block"],
    collectives: without_scans,
    switches: None,
};
