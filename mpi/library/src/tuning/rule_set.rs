//! Lookup of the first of many rules that matches a call.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Ranges of communicator sizes × message sizes, of which the first match applies.
///
/// Calls of one communicator size are looked up in its own bands, which are cached until another size is requested.
#[derive(Debug, Default)]
struct FirstMatchIndex {
    rectangles: Vec<(RangeInclusive<u64>, RangeInclusive<u64>)>,
    row: RefCell<Option<CommunicatorBands>>,
}

/// The bands of some communicator sizes: the start of each band of message sizes, and its rectangle.
#[derive(Debug)]
struct CommunicatorBands {
    communicators: RangeInclusive<u64>,
    bands: Vec<(u64, Option<usize>)>,
}

impl FirstMatchIndex {
    /// Returns the number of the first rectangle that contains both sizes.
    fn find(&self, comm_size: u64, msg_size: u64) -> Option<usize> {
        let mut row = self.row.borrow_mut();
        let row = match &mut *row {
            Some(row) if row.communicators.contains(&comm_size) => row,
            other => other.insert(self.row(comm_size)),
        };
        let above = row.bands.partition_point(|(from, _)| *from <= msg_size);
        row.bands[above - 1].1
    }

    fn row(&self, comm_size: u64) -> CommunicatorBands {
        let (mut least, mut greatest) = (0, u64::MAX);
        // The beginning of each rectangle, and the first size after its end.
        let mut events: Vec<(u64, bool, usize)> = vec![(0, false, usize::MAX)];
        for (index, (communicators, messages)) in self.rectangles.iter().enumerate() {
            let (from, upto) = (*communicators.start(), *communicators.end());
            if communicators.is_empty() {
                continue;
            }
            if comm_size < from {
                greatest = greatest.min(from - 1);
            } else if comm_size > upto {
                least = least.max(upto + 1);
            } else {
                (least, greatest) = (least.max(from), greatest.min(upto));
                if !messages.is_empty() {
                    events.push((*messages.start(), true, index));
                    events.extend(messages.end().checked_add(1).map(|after| (after, false, index)));
                }
            }
        }
        events.sort_unstable();
        let mut open = BTreeSet::new();
        let mut bands: Vec<(u64, Option<usize>)> = Vec::new();
        for (at, begins, index) in events {
            if begins {
                open.insert(index);
            } else {
                open.remove(&index);
            }
            match bands.last_mut() {
                Some((from, held)) if *from == at => *held = open.first().copied(),
                _ => bands.push((at, open.first().copied())),
            }
        }
        CommunicatorBands { communicators: least..=greatest, bands }
    }
}

/// The rules of a file by collective, of which the first that matches a call applies.
#[derive(Debug)]
pub(super) struct RuleSet<R> {
    collectives: BTreeMap<&'static str, (Vec<R>, FirstMatchIndex)>,
}

impl<R> RuleSet<R> {
    /// Creates a rule set from rules in the order in which they are tried, with their collectives and ranges.
    pub(super) fn new(
        rules: Vec<R>,
        collective: impl Fn(&R) -> &'static str,
        ranges: impl Fn(&R) -> (RangeInclusive<u64>, RangeInclusive<u64>),
    ) -> Self {
        let mut collectives: BTreeMap<&'static str, (Vec<R>, FirstMatchIndex)> = BTreeMap::new();
        for rule in rules {
            let (known, index) = collectives.entry(collective(&rule)).or_default();
            index.rectangles.push(ranges(&rule));
            known.push(rule);
        }
        Self { collectives }
    }

    /// Returns the collectives that have rules.
    pub(super) fn collectives(&self) -> Vec<String> {
        self.collectives.keys().map(|&name| name.to_owned()).collect()
    }

    pub(super) fn rules_for(&self, collective: &str) -> &[R] {
        self.collectives.get(collective).map_or(&[], |(rules, _)| rules)
    }

    /// Returns the first rule that matches a call.
    pub(super) fn find(&self, collective: &str, comm_size: u64, msg_size: u64) -> Option<&R> {
        let (rules, index) = self.collectives.get(collective)?;
        index.find(comm_size, msg_size).map(|index| &rules[index])
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn the_first_that_takes_a_call_is_found() {
        let mut chance = Pcg64::seed_from_u64(2021);
        for _ in 0..200 {
            let mut range = || {
                let from = chance.random_range(0..8);
                if from == 7 { 3..=u64::MAX } else { from..=chance.random_range(0..9) }
            };
            let rectangles: Vec<_> = (0..6).map(|_| (range(), range())).collect();
            let index = FirstMatchIndex { rectangles: rectangles.clone(), ..FirstMatchIndex::default() };
            for comm_size in (0..10).chain([u64::MAX]) {
                for msg_size in (0..10).chain([u64::MAX]) {
                    let holds = |(communicators, messages): &(RangeInclusive<u64>, RangeInclusive<u64>)| {
                        communicators.contains(&comm_size) && messages.contains(&msg_size)
                    };
                    let first = rectangles.iter().position(holds);
                    assert_eq!(
                        index.find(comm_size, msg_size),
                        first,
                        "{comm_size}, {msg_size}: {rectangles:?}"
                    );
                }
            }
        }
    }
}
