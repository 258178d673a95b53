//! How a benchmark divides a campaign into launches.

use super::{Campaign, DEFAULT, Run};

/// What one launch measures, and the lines of a script that start it.
pub(super) struct Scheme {
    /// The template of the function `measure`.
    pub(super) measure: &'static str,
    /// The words that send what the benchmark reports, other than its output, to the record of a launch, if that is done.
    pub(super) reports: &'static str,
    /// The end of the paths of a launch's results, whatever job measured them, as a pattern of a shell.
    pub(super) any_job: &'static str,
    /// The settings of the shell with which a benchmark is short.
    pub(super) short: &'static str,
    /// Whether there is a launch for each number of ranks.
    pub(super) is_for_each_ranks: bool,
    /// Returns the words of `measure` for one of the library's own choices of a collective, of which the number counts from 0, or `None` if
    /// no message that is measured is large enough.
    pub(super) own: fn(&Campaign, &str, usize, &str) -> Option<String>,
    /// Returns the lines that measure algorithms of a collective, which are forced. The first of them comes after a number of other launches.
    pub(super) forced: fn(&Campaign, &str, usize) -> Vec<String>,
    /// Returns the launches of one run on one number of ranks per node.
    pub(super) launches: for<'c> fn(&'c Campaign) -> Vec<Launch<'c>>,
}

/// One launch of a campaign.
pub(super) struct Launch<'c> {
    pub(super) collective: &'c str,
    pub(super) series: Vec<Series>,
}

/// A method, by its label, at a number of ranks, and the smallest message in bytes.
pub(super) struct Series {
    pub(super) method: String,
    pub(super) ranks: u64,
    pub(super) smallest: u64,
}

impl Launch<'_> {
    /// Returns whether the default is measured.
    pub(super) fn is_default(&self) -> bool {
        self.series.iter().all(|series| series.method == DEFAULT)
    }
}

impl Campaign {
    /// Returns the launches of one run on one number of ranks per node.
    pub(super) fn launches(&self) -> Vec<Launch<'_>> {
        (self.scheme().launches)(self)
    }

    /// Returns one of the library's own choices at a number of ranks, or `None` if no message that is measured is large enough.
    pub(super) fn own_series(&self, collective: &str, method: &str, ranks: u64) -> Option<Series> {
        let smallest = self.smallest_default(collective, ranks);
        (smallest <= self.greatest).then(|| Series { method: method.to_owned(), ranks, smallest })
    }

    /// Returns a method at a number of ranks, or `None` if it does not run there.
    pub(super) fn series(&self, collective: &str, run: Run, ranks: u64) -> Option<Series> {
        let smallest = self.smallest_forced(collective, run, ranks)?;
        Some(Series { method: run.label(), ranks, smallest })
    }
}
