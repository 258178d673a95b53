//! The times between two agreements: a vector of which every rank has its own, and all ranks then the largest.

use super::evidence::MOST_PAIRS;
use super::level::WATCHED;

/// The maximum number of pairs between two agreements.
pub(super) const PAIRS: usize = 16;

/// The maximum number of values that ranks agree about: the time of the class, that of the last agreement, those that are watched, and those
/// of pairs. Those after the last one that any rank has are left out.
pub(in super::super) const VALUES: usize = FIRST_PAIR + 2 * PAIRS;

/// The values, in nanoseconds; 0 is none.
pub(in super::super) type Values = [u64; VALUES];

const NOW: usize = 0;
const AGREEMENT: usize = 1;
const FIRST_WATCHED: usize = 2;
const FIRST_PAIR: usize = FIRST_WATCHED + WATCHED;

/// What is known of a call that finds the second half of a pair: such calls are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) bytes: u64,
    pub(super) root: u32,
}

pub(super) type Slot = usize;

/// The times since the last agreement.
#[derive(Clone, Debug)]
pub(super) struct Window {
    own: Values,
    pub(super) pairs: usize,
    pub(super) watched: usize,
    pub(super) calls: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self { own: [0; VALUES], pairs: 0, watched: 0, calls: 0 }
    }
}

impl Window {
    /// Begins a pair, and returns the places of the times of the incumbent and of the candidate.
    pub(super) fn begin_pair(&mut self) -> (Slot, Slot) {
        self.pairs += 1;
        (FIRST_PAIR + 2 * self.pairs - 2, FIRST_PAIR + 2 * self.pairs - 1)
    }

    pub(super) fn is_of_pair(slot: Slot) -> bool {
        slot >= FIRST_PAIR
    }

    pub(super) fn give_up_pair(&mut self) {
        self.pairs = self.pairs.saturating_sub(1);
        self.own[FIRST_PAIR + 2 * self.pairs..].fill(0);
    }

    pub(super) fn give_up_pairs(&mut self) {
        self.own[FIRST_PAIR..].fill(0);
        self.pairs = 0;
    }

    pub(super) fn watch(&mut self) -> Slot {
        self.watched += 1;
        FIRST_WATCHED + self.watched - 1
    }

    pub(super) fn note(&mut self, slot: Slot, time: u64, now: u64) {
        self.own[slot] = time.max(1);
        self.own[NOW] = now;
    }

    /// Begins anew, and returns what this rank has for an agreement, and how many of these values all ranks send.
    pub(super) fn begin(&mut self) -> (Values, usize) {
        let Self { own, pairs, watched, .. } = std::mem::take(self);
        self.own[NOW] = own[NOW];
        (own, if pairs > 0 { FIRST_PAIR + 2 * pairs } else { FIRST_WATCHED + watched })
    }

    /// Notes the time that an agreement took at this rank.
    pub(super) fn agreement(&mut self, time: u64) {
        self.own[AGREEMENT] = time;
    }
}

#[derive(Clone, Debug)]
pub(super) struct Agreed {
    /// The times of the incumbent and of the candidate, for pairs of which both are known.
    pub(super) pairs: Vec<(u64, u64)>,
    pub(super) watched: Vec<u64>,
    pub(super) now: u64,
    pub(super) agreement: u64,
}

impl Agreed {
    pub(super) fn new(values: &Values) -> Self {
        let pairs = values[FIRST_PAIR..].as_chunks().0.iter();
        let pairs = pairs.map(|[incumbent, candidate]| (*incumbent, *candidate));
        let watched = values[FIRST_WATCHED..FIRST_PAIR].iter().copied();
        Self {
            pairs: pairs.filter(|(incumbent, candidate)| *incumbent > 0 && *candidate > 0).collect(),
            watched: watched.filter(|time| *time > 0).collect(),
            now: values[NOW],
            agreement: values[AGREEMENT],
        }
    }
}

const _: () = assert!(PAIRS < MOST_PAIRS as usize);
