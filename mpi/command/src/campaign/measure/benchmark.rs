//! Benchmark programs: the OSU micro-benchmarks, one program per collective; the Intel MPI Benchmarks, `IMB-MPI1`; and the benchmark of
//! this project, `qtdec-bench`, which measures a whole grid in one launch.

use qtdec_mpi_library::catalogue::{FUNCTIONS, Library};
use qtdec_mpi_run::abilities::{self, REPEATS, WARM_UP};

/// Every benchmark that a script can run; the first one runs unless an option says otherwise.
pub const BENCHMARKS: &[&Benchmark] = &[&OSU, &IMB, &QTDEC_BENCH];

/// A benchmark whose output can be read.
#[derive(Debug)]
pub struct Benchmark {
    /// The name used as the value of an option.
    pub name: &'static str,
    /// The display name.
    pub(super) title: &'static str,
    /// Returns the program that measures a collective.
    pub(super) program: fn(&str) -> String,
    /// The function `set_command` of a script, which sets the command line of the benchmark, and what it calls.
    pub(super) functions: &'static str,
    /// Returns how often a collective is called with messages of a size, unless options say otherwise.
    pub calls: fn(u64) -> u64,
    /// The number of seconds between two calls.
    pub(super) pause: f64,
    /// The number of seconds after which the benchmark goes on to the next size, if there is one.
    pub most_seconds: Option<f64>,
    /// The collectives whose message size is divided among the ranks.
    pub(super) divides_size_of: &'static [&'static str],
    /// Returns the collectives that the benchmark measures.
    pub collectives: fn() -> Vec<&'static str>,
    /// Returns whether a launch, which measures every number of ranks, measures every algorithm of a library's collective too, or one; none
    /// if a launch measures one number of ranks.
    pub(super) switches: Option<fn(Library, &str) -> bool>,
}

impl Benchmark {
    /// Returns whether one launch measures every number of ranks.
    pub fn measures_grids(&self) -> bool {
        self.switches.is_some()
    }
}

/// Returns the collectives that OSU's and Intel's programs measure: neither has scans.
fn without_scans() -> Vec<&'static str> {
    FUNCTIONS.into_iter().filter(|name| !name.ends_with("scan") && !name.starts_with("neighbor_")).collect()
}

const OSU: Benchmark = Benchmark {
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

const IMB: Benchmark = Benchmark {
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

const QTDEC_BENCH: Benchmark = Benchmark {
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
