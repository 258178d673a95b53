//! Benchmark programs.

use qtdec_mpi_library::catalogue::{FUNCTIONS, Library};

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
pub(super) fn without_scans() -> Vec<&'static str> {
    FUNCTIONS.into_iter().filter(|name| !name.ends_with("scan") && !name.starts_with("neighbor_")).collect()
}
