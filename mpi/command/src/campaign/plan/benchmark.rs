//! Benchmark programs.

use std::fmt;

use qtdec_mpi_library::catalogue::FUNCTIONS;

use super::library::MeasuredLibrary;

/// A benchmark whose output can be read.
///
/// Other crates can implement the trait.
pub trait Benchmark: fmt::Debug + Sync {
    /// Returns the name used as the value of an option.
    fn name(&self) -> &'static str;

    /// Returns the display name.
    fn title(&self) -> &'static str;

    /// Returns the program that measures a collective.
    fn program(&self, collective: &str) -> String;

    /// Returns the function `set_command` of a script, which sets the command line of the benchmark, and what it calls.
    fn functions(&self) -> &'static str;

    /// Returns how often the collective is called with messages of a size, unless options say otherwise.
    fn calls(&self, bytes: u64) -> u64;

    /// Returns the number of seconds between two calls; by default, they follow at once.
    fn pause(&self) -> f64 {
        0.0
    }

    /// Returns the number of seconds after which the benchmark goes on to the next size, if there is one.
    fn most_seconds(&self) -> Option<f64> {
        None
    }

    /// Returns whether the message size is divided among the ranks; by default, it never is.
    fn divides_size(&self, _collective: &str) -> bool {
        false
    }

    /// Returns the collectives that the benchmark measures, or by default `None` for those of every library.
    fn collectives(&self) -> Option<Vec<&'static str>> {
        None
    }

    /// Returns whether one launch measures every number of ranks, or by default one.
    fn measures_grids(&self) -> bool {
        false
    }

    /// Returns whether a launch that measures every number of ranks measures every algorithm of a library's collective too, or by default
    /// one.
    fn switches(&self, _library: &dyn MeasuredLibrary, _collective: &str) -> bool {
        false
    }
}

/// Returns the collectives that OSU's and Intel's programs measure: neither has scans.
pub(super) fn without_scans() -> Vec<&'static str> {
    FUNCTIONS.into_iter().filter(|name| !name.ends_with("scan") && !name.starts_with("neighbor_")).collect()
}
