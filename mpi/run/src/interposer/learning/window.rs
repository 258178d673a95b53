//! The times between two agreements: a vector of which every rank has its own, and all ranks then the largest.

use super::evidence::MOST_PAIRS;
use super::level::WATCHED;

/// The maximum number of pairs between two agreements.
pub(super) const PAIRS: usize = 8;

/// The number of values that ranks agree about: the times of pairs, those that are watched, the time of the class, and that of the last
/// agreement.
pub(in super::super) const VALUES: usize = 2 * PAIRS + WATCHED + 2;

/// The values, in nanoseconds; 0 is none.
pub(in super::super) type Values = [u64; VALUES];

const NOW: usize = VALUES - 2;
const AGREEMENT: usize = VALUES - 1;

/// What is known of a call that finds the second half of a pair: such calls are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) bytes: u64,
    pub(super) root: u32,
}

/// The place of a time.
pub(super) type Slot = usize;

/// The times since the last agreement.
#[derive(Clone, Debug)]
pub(super) struct Window {
    own: Values,
    /// The pairs that have begun.
    pairs: usize,
    watched: usize,
    pub(super) calls: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self { own: [0; VALUES], pairs: 0, watched: 0, calls: 0 }
    }
}

impl Window {
    pub(super) fn pairs(&self) -> usize {
        self.pairs
    }

    pub(super) fn watched(&self) -> usize {
        self.watched
    }

    pub(super) fn own(&self) -> &Values {
        &self.own
    }

    /// Begins a pair, and returns the places of the times of the incumbent and of the candidate.
    pub(super) fn begin_pair(&mut self) -> (Slot, Slot) {
        self.pairs += 1;
        (2 * self.pairs - 2, 2 * self.pairs - 1)
    }

    /// Gives the last pair up.
    pub(super) fn give_up_pair(&mut self) {
        self.pairs = self.pairs.saturating_sub(1);
        self.own[2 * self.pairs] = 0;
        self.own[2 * self.pairs + 1] = 0;
    }

    /// Gives all pairs up.
    pub(super) fn give_up_pairs(&mut self) {
        self.own[..2 * PAIRS].fill(0);
        self.pairs = 0;
    }

    pub(super) fn watch(&mut self) -> Slot {
        self.watched += 1;
        2 * PAIRS + self.watched - 1
    }

    /// Notes a time of this rank, and when it ended.
    pub(super) fn note(&mut self, slot: Slot, time: u64, now: u64) {
        self.own[slot] = time.max(1);
        self.own[NOW] = now;
    }

    /// Begins anew after an agreement, which took this time at this rank.
    pub(super) fn begin(&mut self, agreement: u64) {
        let now = self.own[NOW];
        *self = Self::default();
        self.own[NOW] = now;
        self.own[AGREEMENT] = agreement;
    }
}

/// What the ranks agreed about.
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
        let pairs =
            values.as_chunks().0[..PAIRS].iter().map(|[incumbent, candidate]| (*incumbent, *candidate));
        let watched = values[2 * PAIRS..NOW].iter().copied();
        Self {
            pairs: pairs.filter(|(incumbent, candidate)| *incumbent > 0 && *candidate > 0).collect(),
            watched: watched.filter(|time| *time > 0).collect(),
            now: values[NOW],
            agreement: values[AGREEMENT],
        }
    }
}

const _: () = assert!(PAIRS < MOST_PAIRS as usize);
