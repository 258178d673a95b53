//! A rule of the variable.

use crate::catalogue::Algorithm;
use std::ops::RangeInclusive;

/// The default score of the layer.
pub(super) const OWN_SCORE: u64 = 10;

/// The part of a token for one collective, one range of sizes and one of teams, in host memory.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The offset of its token in the file.
    pub(super) offset: usize,
    /// The token, or its beginning.
    pub(super) token: String,
    /// MPI's name.
    pub(super) collective: &'static str,
    /// The ends of the size range as written.
    pub(super) messages: (u64, u64),
    pub(super) teams: (u64, u64),
    pub(super) score: u64,
    /// The algorithm, or `None` to leave the choice to UCC.
    pub(super) algorithm: Option<&'static Algorithm>,
}

impl Rule {
    /// Returns the teams, and the sizes of the rule without the last one.
    pub(super) fn without_last_size(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        let (from, upto) = self.messages;
        let last = if upto == u64::MAX { upto } else { upto - 1 };
        (self.teams.0..=self.teams.1, from..=last)
    }

    /// Returns the teams, and the sizes of the rule without the first one.
    pub(super) fn without_first_size(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        (self.teams.0..=self.teams.1, self.messages.0 + 1..=self.messages.1)
    }

    /// Returns whether the size at which `other` ends and this one begins belongs to this one in all its teams.
    pub(super) fn takes_over(&self, other: &Self) -> bool {
        let ((least, greatest), teams) = (self.teams, other.teams);
        self.score > 0 && self.score >= other.score && least <= teams.0 && teams.1 <= greatest
    }

    /// Returns whether the two overlap for UCC. A size at which one ends and the other begins is not an overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.messages, other.messages);
        self.collective == other.collective
            && one.0.max(two.0) < one.1.min(two.1)
            && self.teams.0.max(other.teams.0) <= self.teams.1.min(other.teams.1)
    }
}
