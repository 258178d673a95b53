//! The times of one method at one point.

use super::Statistic;

/// The times of one method at one point: each repeat, or only what was made of them.
#[derive(Clone, Debug)]
pub enum Series {
    /// Every repeat, in the order of the files.
    Repeats(Vec<Repeat>),
    /// Statistics of repeats that are not there themselves.
    Statistics(Vec<(Statistic, f64)>),
}

/// One repeat: the time of all ranks together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The time.
    pub time: f64,
    /// The number of the run it is of.
    pub run: u16,
    /// The number of the file it stands in: the repeats of one program stand together, whether or not runs have names.
    pub file: u32,
}

impl Default for Series {
    fn default() -> Self {
        Self::Repeats(Vec::new())
    }
}

impl Series {
    /// Whether the method was not measured here.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Repeats(repeats) => repeats.is_empty(),
            Self::Statistics(statistics) => statistics.is_empty(),
        }
    }

    /// The statistic, if it can be had.
    pub fn get(&self, statistic: Statistic) -> Option<f64> {
        match self {
            Self::Repeats(_) => statistic.of_sorted(&self.sorted()),
            Self::Statistics(given) => {
                given.iter().find(|(known, _)| *known == statistic).map(|(_, value)| *value)
            }
        }
    }

    /// The times of the repeats in increasing order; none where there are only statistics.
    pub fn sorted(&self) -> Vec<f64> {
        let Self::Repeats(repeats) = self else { return Vec::new() };
        let mut times: Vec<f64> = repeats.iter().map(|repeat| repeat.time).collect();
        times.sort_unstable_by(f64::total_cmp);
        times
    }

    /// The repeats; none where there are only statistics.
    pub fn repeats(&self) -> &[Repeat] {
        match self {
            Self::Repeats(repeats) => repeats,
            Self::Statistics(_) => &[],
        }
    }
}
