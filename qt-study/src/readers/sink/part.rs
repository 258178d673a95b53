//! The times of one collective under construction.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use qtdec_core::{Place, Problem};

use super::layout::listed;
use crate::measurements::{MeasuredAxis, Measurements, RankStatistic, Repeat, Series, Statistic, TimeUnit};
use crate::notes::Notes;
use crate::readers::advice;
use crate::readers::over_ranks::OverRanks;

/// The memory use of a repeat that is given rank by rank.
const BYTES_OF_RANKS: usize = size_of::<(OfRanks, (usize, u32))>() + 80;

/// The memory use of the file of statistics, besides that of sizes.
const BYTES_OF_STATISTICS: usize = size_of::<(OfStatistics, u32)>() + 48;

/// The maximum number of pairs of files that are remembered because they have statistics of the same method and point.
const MAX_PAIRS: usize = 1 << 12;

/// The statistics of a method at a point.
type OfStatistics = (Vec<u64>, usize);

/// The repeat of a rank: its point, method, run and number.
type OfRanks = (Vec<u64>, usize, u16, u64);

const BOTH: &str = "a method has both statistics and repeats at a point: the repeats are used";

#[derive(Default)]
pub(super) struct CollectiveTimes {
    /// The collective, if the rows or their paths name it.
    pub(super) collective: Option<String>,
    pub(super) measurements: Measurements,
    pub(super) over_ranks: OverRanks,
    /// Repeats that are given rank by rank: their position in the series, and the number of ranks so far.
    ranks: HashMap<OfRanks, (usize, u32)>,
    /// The file of statistics, and the pairs of files with statistics of the same method and point.
    of_statistics: HashMap<OfStatistics, u32>,
    pub(super) twice: BTreeSet<(u32, u32)>,
}

impl CollectiveTimes {
    pub(super) fn bytes(&self) -> usize {
        self.measurements.bytes()
            + self.ranks.len() * BYTES_OF_RANKS
            + self.of_statistics.len() * BYTES_OF_STATISTICS
    }

    /// Takes rows with these axes and this unit, and returns the number of the part's units in one of theirs.
    pub(super) fn agree(
        &mut self,
        axes: Vec<MeasuredAxis>,
        unit: Option<TimeUnit>,
        is_named: bool,
    ) -> Result<f64, Problem> {
        // Whether an axis has labels is part of it, which they are is not.
        let kind =
            |axis: &MeasuredAxis| (axis.name.clone(), axis.unit.clone(), axis.basis, axis.labels.is_some());
        if self.measurements.is_empty() {
            self.measurements.axes = axes;
            self.measurements.unit = unit;
        } else if !self.measurements.axes().iter().map(kind).eq(axes.iter().map(kind)) {
            return Err(other_axes(self.measurements.axes(), &axes, is_named));
        }
        TimeUnit::scale(unit, self.measurements.unit)
    }

    pub(super) fn repeats(
        &mut self,
        sizes: &[u64],
        method: usize,
        repeats: impl IntoIterator<Item = Repeat>,
        notes: &mut Notes,
    ) {
        if self.measurements.record_all(sizes, method, repeats) {
            notes.add(BOTH);
        }
    }

    /// Records the time of one rank in a numbered repeat, and returns the number of ranks of the repeat so far.
    pub(super) fn rank(
        &mut self,
        sizes: &[u64],
        method: usize,
        number: u64,
        repeat: Repeat,
        statistic: RankStatistic,
        notes: &mut Notes,
    ) -> u32 {
        let Series::Repeats(repeats) = self.measurements.series_mut(sizes, method) else {
            notes.add("a method has both statistics and times of ranks at a point: the statistics are used");
            return 0;
        };
        let (position, count) = *self
            .ranks
            .entry((sizes.to_vec(), method, repeat.run, number))
            .and_modify(|(_, count)| *count += 1)
            .or_insert((repeats.len(), 1));
        let time = repeat.time;
        match repeats.get_mut(position) {
            None => repeats.push(repeat),
            Some(known) => {
                known.time = match statistic {
                    RankStatistic::Max => known.time.max(time),
                    RankStatistic::Min => known.time.min(time),
                    RankStatistic::Mean => known.time + (time - known.time) / f64::from(count),
                }
            }
        }
        count
    }

    /// Records statistics of repeats that are not available.
    pub(super) fn statistics(
        &mut self,
        sizes: &[u64],
        method: usize,
        file: u32,
        given: Vec<(Statistic, f64)>,
        notes: &mut Notes,
    ) {
        let first = self.of_statistics.entry((sizes.to_vec(), method)).or_insert(file);
        match self.measurements.series_mut(sizes, method) {
            series if series.is_empty() => *series = Series::Statistics(given),
            Series::Repeats(_) => notes.add(BOTH),
            Series::Statistics(_) => {
                notes.add(advice::STATISTICS_TWICE);
                if self.twice.len() < MAX_PAIRS {
                    self.twice.insert((*first, file));
                }
            }
        }
    }
}

#[derive(Default)]
pub(super) struct Parts<'a> {
    /// The collective to which all times belong, if the user chooses one.
    requested: Option<&'a str>,
    all: Vec<CollectiveTimes>,
    by_name: IndexMap<String, usize>,
    /// The approximate memory use of all but the part that was used last.
    others: usize,
    last: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(requested: Option<&'a str>) -> Self {
        Self { requested, ..Self::default() }
    }

    /// Returns the number of a collective's part. Rows that name none belong to the first collective that is named.
    pub(super) fn number(&mut self, collective: Option<&str>) -> usize {
        let collective = collective.filter(|_| self.requested.is_none());
        let Some(name) = collective else {
            if self.all.is_empty() {
                let collective = self.requested.map(str::to_owned);
                self.all.push(CollectiveTimes { collective, ..CollectiveTimes::default() });
            }
            return 0;
        };
        if let Some(number) = self.by_name.get(name) {
            return *number;
        }
        let number = match &self.all[..] {
            [unnamed] if unnamed.collective.is_none() => 0,
            all => {
                let number = all.len();
                self.all.push(CollectiveTimes::default());
                number
            }
        };
        self.all[number].collective = Some(name.to_owned());
        self.by_name.insert(name.to_owned(), number);
        number
    }

    pub(super) fn get(&mut self, number: usize) -> &mut CollectiveTimes {
        &mut self.all[number]
    }

    /// Returns the approximate memory use after a change of one part.
    pub(super) fn bytes_after(&mut self, number: usize) -> usize {
        if number != self.last {
            self.others += self.all[self.last].bytes();
            self.others = self.others.saturating_sub(self.all[number].bytes());
            self.last = number;
        }
        self.others + self.all[number].bytes()
    }

    pub(super) fn are_empty(&self) -> bool {
        self.all.iter().all(|part| part.measurements.is_empty())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &CollectiveTimes> {
        self.all.iter()
    }

    /// Returns all parts in the order of their names.
    pub(super) fn into_sorted(mut self) -> Vec<CollectiveTimes> {
        self.all.sort_by(|one, other| one.collective.cmp(&other.collective));
        self.all
    }
}

fn other_axes(ours: &[MeasuredAxis], theirs: &[MeasuredAxis], is_named: bool) -> Problem {
    let names = |axes: &[MeasuredAxis]| axes.iter().map(|axis| axis.name.clone()).collect::<Vec<_>>();
    let message = format!("the axes here are {}, and {} in the files before", listed(theirs), listed(ours));
    let problem = Problem::new(Place::File, message);
    if names(ours) != names(theirs) {
        return problem;
    }
    let different =
        ours.iter().zip(theirs).find(|(our, their)| our.labels.is_some() != their.labels.is_some());
    if let Some((our, their)) = different {
        let what = |axis: &MeasuredAxis| if axis.labels.is_some() { "labels" } else { "sizes" };
        let message =
            format!("`{}` has {} here, and {} in the files before", our.name, what(their), what(our));
        return Problem::new(Place::File, message)
            .help("an axis has either sizes or labels, which begin with a letter");
    }
    problem.help(advice::bases(is_named))
}
