//! A rule of the variable.

use qtdec_mpi::catalogue::Algorithm;
use std::ops::RangeInclusive;

/// The score that the layer has where nobody gives it another.
pub(super) const OWN_SCORE: u64 = 10;

/// What one token says of one collective, one range of sizes and one of teams, for memory of hosts.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Where its token begins in the file.
    pub(super) offset: usize,
    /// The token, or its beginning.
    pub(super) token: String,
    /// MPI's name.
    pub(super) collective: &'static str,
    /// Its ends as they are written.
    pub(super) messages: (u64, u64),
    pub(super) teams: (u64, u64),
    pub(super) score: u64,
    /// `None` leaves the choice to UCC.
    pub(super) algorithm: Option<&'static Algorithm>,
}

impl Rule {
    /// The teams, and the sizes from the one on at which the rule begins up to that before its end.
    pub(super) fn but_for_its_end(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        let (from, upto) = self.messages;
        let last = if upto == u64::MAX { upto } else { upto - 1 };
        (self.teams.0..=self.teams.1, from..=last)
    }

    /// The teams, and the sizes behind the one at which the rule begins.
    pub(super) fn but_for_its_beginning(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        (self.teams.0..=self.teams.1, self.messages.0 + 1..=self.messages.1)
    }

    /// Whether the size at which `other` ends, and this one begins, is this one's in all its teams.
    pub(super) fn takes_over(&self, other: &Self) -> bool {
        let ((least, greatest), teams) = (self.teams, other.teams);
        self.score > 0 && self.score >= other.score && least <= teams.0 && teams.1 <= greatest
    }

    /// Whether UCC finds that the two overlap: a size at which one ends and the other begins is no overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.messages, other.messages);
        self.collective == other.collective
            && one.0.max(two.0) < one.1.min(two.1)
            && self.teams.0.max(other.teams.0) <= self.teams.1.min(other.teams.1)
    }
}
