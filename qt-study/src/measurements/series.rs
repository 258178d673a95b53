//! The times of one method at one point.

use super::Statistic;

/// The times of one method at one point: all repeats, or only statistics of them.
///
/// The variants are complete: code that uses times must handle both.
#[derive(Clone, Debug)]
pub enum Series {
    /// Every repeat, in the order of the files.
    Repeats(Vec<Repeat>),
    /// Statistics of repeats that are not available.
    Statistics(Vec<(Statistic, f64)>),
}

/// One repeat, with the time of all ranks together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The time.
    pub time: f64,
    /// The number of its run.
    pub run: u16,
    /// The number of its file. The repeats of one program are in one file, whether or not runs have names.
    pub file: u32,
}

impl Default for Series {
    fn default() -> Self {
        Self::Repeats(Vec::new())
    }
}

impl Series {
    /// Returns whether the method was not measured here.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Repeats(repeats) => repeats.is_empty(),
            Self::Statistics(statistics) => statistics.is_empty(),
        }
    }

    /// Returns whether a statistic is available.
    pub fn has(&self, statistic: Statistic) -> bool {
        match self {
            Self::Repeats(repeats) => !repeats.is_empty(),
            Self::Statistics(given) => given.iter().any(|(known, _)| *known == statistic),
        }
    }

    /// Returns a statistic, if it is available.
    pub fn get(&self, statistic: Statistic) -> Option<f64> {
        match self {
            Self::Repeats(repeats) => statistic.of(repeats.iter().map(|repeat| repeat.time).collect()),
            Self::Statistics(given) => {
                given.iter().find(|(known, _)| *known == statistic).map(|(_, value)| *value)
            }
        }
    }

    /// Returns the times of the repeats in increasing order, which is empty if there are only statistics.
    pub fn sorted(&self) -> Vec<f64> {
        let Self::Repeats(repeats) = self else { return Vec::new() };
        let mut times: Vec<f64> = repeats.iter().map(|repeat| repeat.time).collect();
        times.sort_unstable_by(f64::total_cmp);
        times
    }

    /// Returns the repeats, which is empty if there are only statistics.
    pub fn repeats(&self) -> &[Repeat] {
        match self {
            Self::Repeats(repeats) => repeats,
            Self::Statistics(_) => &[],
        }
    }
}
