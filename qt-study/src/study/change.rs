//! The change of times between launches before and after.

use std::collections::BTreeSet;

use super::launch_interval::{LEVEL, LaunchMean};
use super::launch_times::LaunchTimes;
use super::sides::Sides;
use super::spread::mean;

/// A geometric mean of time after / time before over points, with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The ratio.
    pub ratio: f64,
    /// The ends of its 95 % interval, or `None` if a side has only one launch: what the times of one launch have in common is not
    /// known.
    pub ends: Option<[f64; 2]>,
    /// The numbers of launches before and after.
    pub launches: [usize; 2],
    /// Whether the launches are pairs, whose differences the interval is of.
    pub is_paired: bool,
    /// The number of points.
    pub points: usize,
}

impl Change {
    /// Returns the change at these points, which both sides have; `None` if there are none.
    pub fn new(
        before: &LaunchTimes,
        after: &LaunchTimes,
        of: Sides,
        points: &BTreeSet<Vec<u64>>,
    ) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let sides = [before.means(points), after.means(points)];
        let [old, new] = sides.each_ref().map(|side| mean(side));
        let [before, after] = &sides;
        let difference = LaunchMean::from_difference(after, before).map(|mean| of.widened(mean));
        let ends = difference.map(|mean| mean.ends(LEVEL).map(f64::exp));
        Some(Self {
            ratio: (new - old).exp(),
            ends,
            launches: sides.each_ref().map(Vec::len),
            points: points.len(),
            is_paired: false,
        })
    }

    /// Returns the change at these points within pairs of launches, given the times with a deployment over those without it; `None` if
    /// no pair has any of the points.
    pub fn from_pairs(within: &LaunchTimes, points: &BTreeSet<Vec<u64>>) -> Option<Self> {
        let changes = within.means(points);
        if changes.is_empty() {
            return None;
        }
        Some(Self {
            ratio: mean(&changes).exp(),
            ends: LaunchMean::new(&changes).map(|mean| mean.ends(LEVEL).map(f64::exp)),
            launches: [changes.len(); 2],
            points: points.iter().filter(|sizes| within.points.contains_key(*sizes)).count(),
            is_paired: true,
        })
    }

    /// Returns whether even the lower end of the interval is above a slowdown in per cent.
    pub fn is_slower_than(&self, percent: f64) -> bool {
        self.ends.is_some_and(|[low, _]| 100.0 * (low - 1.0) > percent)
    }
}
