//! The sizes at which the upper sides of cuts begin.

use super::Subtree;
use crate::borders::Borders;
use crate::domain::{Axis, Domain};

/// The least size of the upper side of every gap: by a rule, or where the methods of a tree cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thresholds {
    borders: Borders,
    /// The cuts with a size of their own, in order; the rule holds for all others.
    crossings: Vec<Cut>,
}

/// A cut between two samples, and the least size above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) axis: usize,
    /// The first sample of the upper side.
    pub(crate) at: usize,
    pub(crate) size: u64,
}

impl Cut {
    pub(crate) fn place(&self) -> (usize, usize) {
        (self.axis, self.at)
    }
}

impl Thresholds {
    /// Creates the thresholds of a rule that needs no times.
    pub(crate) fn of_rule(borders: Borders) -> Self {
        Self { borders, crossings: Vec::new() }
    }

    /// Creates the thresholds of methods that cross at these cuts, which have different places, in any order.
    pub(crate) fn of_cuts(mut cuts: Vec<Cut>) -> Self {
        cuts.sort_unstable_by_key(Cut::place);
        Self { borders: Borders::Crossing, crossings: cuts }
    }

    pub(crate) fn borders(&self) -> Borders {
        self.borders
    }

    /// Returns the least size on the upper side of a cut; on a labelled axis, the position of its first label.
    pub(crate) fn threshold(&self, axes: &[Axis], axis: usize, at: usize) -> u64 {
        match self.crossings.binary_search_by_key(&(axis, at), Cut::place) {
            Ok(found) => self.crossings[found].size,
            Err(_) => axes[axis].threshold(at, self.borders),
        }
    }

    pub(crate) fn limited_to(mut self, cuts: impl Iterator<Item = (usize, usize)>) -> Self {
        if !self.crossings.is_empty() {
            let mut cuts: Vec<(usize, usize)> = cuts.collect();
            cuts.sort_unstable();
            self.crossings.retain(|cut| cuts.binary_search(&cut.place()).is_ok());
        }
        self
    }
}

impl Subtree<'_> {
    /// Returns the cuts between sizes, each once and in order.
    pub(super) fn sized_cuts(self, domain: &Domain) -> Vec<(usize, usize)> {
        let mut cuts: Vec<(usize, usize)> =
            self.cuts().filter(|(axis, _)| domain.axes()[*axis].values().is_some()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}
