//! What the user's selectors matched: one that matches nothing is a mistake.

use std::collections::BTreeSet;

use qtdec_core::Problem;
use qtdec_core::listing::listed;

use super::advice;
use super::columns::joined;
use super::options::ReadOptions;

/// The maximum number of values that are remembered for a message.
const REMEMBERED: usize = 20;

/// The selectors that matched something, and what else there was.
#[derive(Default)]
pub(super) struct Selectors {
    /// For each `--where`, whether a row had the value, and the values of the others.
    filters: Vec<(bool, BTreeSet<String>)>,
    /// The names from the path or the user that were used, and those of `--fixed` that the files give themselves.
    used: BTreeSet<String>,
    given: BTreeSet<String>,
    /// Whether a file had columns, and the formats of the files without any.
    columns: bool,
    without_columns: BTreeSet<&'static str>,
}

impl Selectors {
    /// Records a value in the column of a filter, by its position.
    pub(super) fn filtered(&mut self, filter: usize, value: &[u8], matches: bool) {
        if self.filters.len() <= filter {
            self.filters.resize_with(filter + 1, Default::default);
        }
        let (matched, others) = &mut self.filters[filter];
        *matched |= matches;
        if !matches && others.len() < REMEMBERED {
            others.insert(String::from_utf8_lossy(value).into_owned());
        }
    }

    /// Records that a name from the path or the user was used.
    pub(super) fn used(&mut self, name: &str) {
        remember(&mut self.used, name);
    }

    /// Records that a file gives a name itself, with another value than the fixed one.
    pub(super) fn given(&mut self, name: &str) {
        remember(&mut self.given, name);
    }

    /// Records whether a file of this format has columns.
    pub(super) fn format(&mut self, name: &'static str, has_columns: bool) {
        self.columns |= has_columns;
        if !has_columns {
            self.without_columns.insert(name);
        }
    }

    /// Returns the faults of selectors that matched nothing; `is_empty` means that no time was read.
    pub(super) fn faults(&self, options: &ReadOptions, is_empty: bool) -> Vec<Problem> {
        let mut faults = Vec::new();
        for ((column, value), (matched, others)) in options.filters.iter().zip(&self.filters) {
            if !matched && !others.is_empty() {
                let others: Vec<&str> = others.iter().map(String::as_str).collect();
                faults.push(advice::no_row(column, value, &listed(&others)));
            }
        }
        let all_match = !self.filters.is_empty() && self.filters.iter().all(|(matched, _)| *matched);
        if is_empty && all_match && options.filters.len() > 1 {
            faults.push(advice::no_row_for_all(&options.filters));
        }
        for name in self.given.difference(&self.used) {
            let value = options.fixed.get(name).map_or("", String::as_str);
            faults.push(advice::given_by_files(name, value));
        }
        let columns = joined(&options.columns.pairs());
        if !columns.is_empty() && !self.columns && !self.without_columns.is_empty() {
            let formats: Vec<&str> = self.without_columns.iter().copied().collect();
            faults.push(advice::no_columns(&columns, &listed(&formats)));
        }
        faults
    }
}

/// Adds a name, which often is there.
pub(super) fn remember(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}
