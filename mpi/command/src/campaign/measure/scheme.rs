//! How a benchmark divides a campaign into launches: one for all numbers of ranks, or one for each.

use super::lines::{expression, guard, variables};
use super::template::quoted;
use super::{Campaign, DEFAULT, Run, Series, grids};

pub(super) struct Launch<'c> {
    pub(super) collective: &'c str,
    pub(super) series: Vec<Series>,
}

impl Launch<'_> {
    pub(super) fn is_default(&self) -> bool {
        self.series.iter().all(|series| series.method == DEFAULT)
    }
}

impl Campaign {
    /// Returns the words of `measure` for one of the library's own choices of a collective, of which the number counts from 0, or `None` if
    /// no message that is measured is large enough.
    pub(super) fn own_words(&self, collective: &str, index: usize, method: &str) -> Option<String> {
        if self.benchmark.measures_grids() {
            grids::own(self, collective, index, method)
        } else {
            let smallest = expression(self.smallest_of_all(collective));
            Some(format!("{collective} {} 0 {smallest}", quoted(method)))
        }
    }

    /// Returns the lines that measure algorithms of a collective, which are forced. The first of them comes after a number of other launches.
    pub(super) fn forced_lines(&self, collective: &str, own: usize) -> Vec<String> {
        if self.benchmark.measures_grids() {
            grids::forced(self, collective, own)
        } else {
            self.runs(collective).into_iter().map(|run| self.forced_line(collective, run)).collect()
        }
    }

    /// Returns the line that measures a method at one number of ranks.
    fn forced_line(&self, collective: &str, run: Run) -> String {
        let guards = run.method.algorithm.needs.iter().filter_map(|need| guard(*need));
        let guards = guards.map(|guard| format!("{guard} \"$ranks\" && "));
        let limit =
            (run.requests > 0).then(|| format!("[ \"$ranks\" -gt {} ] && ", run.requests.saturating_add(1)));
        let guards: Vec<String> = guards.chain(limit).collect();
        let smallest = expression(self.smallest(collective, run));
        format!(
            "{}measure {collective} {} {} {smallest}{}",
            guards.concat(),
            quoted(&run.name()),
            run.segment,
            variables(self, &self.forcing(collective, run))
        )
    }

    /// Returns the launches of one run on one number of ranks per node.
    pub(super) fn launches(&self) -> Vec<Launch<'_>> {
        let mut launches = Vec::new();
        for collective in &self.collectives {
            let own = self.own_choices().map(|(name, _)| self.own_series(collective, name));
            let forced: Vec<Vec<Series>> = if self.benchmark.measures_grids() {
                grids::groups(self, collective).into_iter().map(|group| group.series).collect()
            } else {
                self.runs(collective).iter().map(|run| self.series(collective, &[*run])).collect()
            };
            for series in own.chain(forced).filter(|series| !series.is_empty()) {
                if self.benchmark.measures_grids() {
                    launches.push(Launch { collective, series });
                } else {
                    launches.extend(series.into_iter().map(|one| Launch { collective, series: vec![one] }));
                }
            }
        }
        launches
    }

    /// Returns one of the library's own choices at each number of ranks for which a message that is measured is large enough.
    pub(super) fn own_series(&self, collective: &str, method: &str) -> Vec<Series> {
        self.comm_sizes.iter().filter_map(|&ranks| self.own_series_at(collective, method, ranks)).collect()
    }

    /// Returns one of the library's own choices at a number of ranks, or `None` if no message that is measured is large enough.
    pub(super) fn own_series_at(&self, collective: &str, method: &str, ranks: u64) -> Option<Series> {
        let smallest = self.smallest_default(collective, ranks);
        (smallest <= self.greatest).then(|| Series { method: method.to_owned(), ranks, smallest })
    }

    /// Returns methods at each number of ranks at which they run.
    pub(super) fn series(&self, collective: &str, runs: &[Run]) -> Vec<Series> {
        let mut series = Vec::new();
        for run in runs {
            for &ranks in &self.comm_sizes {
                let smallest = self.smallest_forced(collective, *run, ranks);
                series.extend(smallest.map(|smallest| Series { method: run.label(), ranks, smallest }));
            }
        }
        series
    }
}
