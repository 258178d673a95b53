//! Files whose times are different statistics over the ranks.
//!
//! OSU's benchmarks print the average over the ranks alone, and with `-f` the maximum as well. So the times of one method may be of
//! another kind than those of another, although the benchmark is the same.

use indexmap::IndexMap;

use super::advice;

/// The statistics over the ranks of the times that were read, each with the first file that has it. `None` stands for an unknown
/// statistic.
#[derive(Debug, Default)]
pub(super) struct OverRanks(IndexMap<Option<String>, String>);

impl OverRanks {
    /// Adds the statistic of a file whose times are read.
    pub(super) fn add(&mut self, ranks: Option<String>, file: &str) {
        self.0.entry(ranks).or_insert_with(|| file.to_owned());
    }

    /// Returns the name of the statistic, or the names of several, or `None` if it is unknown for some file.
    pub(super) fn name(&self) -> Option<String> {
        let names: Option<Vec<&str>> = self.0.keys().map(Option::as_deref).collect();
        names.filter(|names| !names.is_empty()).map(|names| names.join(" or "))
    }

    /// Describes the first two files whose times are different statistics. Returns `None` if there are none.
    pub(super) fn mixed(&self) -> Option<String> {
        let mut known = self.0.iter().filter_map(|(ranks, file)| Some((&**file, ranks.as_deref()?)));
        different_ranks(known.next()?, known.next()?)
    }
}

/// Describes that the times of two files are different statistics over the ranks, given their names and statistics. Returns `None`
/// if the statistics are equal.
pub fn different_ranks(one: (&str, &str), other: (&str, &str)) -> Option<String> {
    let ((file, ranks), (other, others)) = (one, other);
    (ranks != others).then(|| advice::other_statistic([file, ranks], [other, others]))
}
