//! Rules of a file, of which the first that matches a call applies.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::catalogue::SizeUnit;
use qtdec_core::Place;

use super::bands::last_from;
use super::{Decision, Format, Selection};

/// A rule: the calls that it matches, and what the library does there.
#[derive(Debug)]
pub(super) struct Rule {
    /// MPI's name.
    pub(super) collective: &'static str,
    pub(super) communicators: RangeInclusive<u64>,
    pub(super) messages: RangeInclusive<u64>,
    pub(super) decision: Decision,
    /// The rule as text with its places in the file, outermost first.
    pub(super) places: Vec<(String, Place)>,
}

impl Rule {
    /// Returns the rule that leaves the calls on these communicators to the library if none before it matches.
    pub(super) fn left_to_library(collective: &'static str, communicators: RangeInclusive<u64>) -> Self {
        let (messages, places) = (0..=u64::MAX, Vec::new());
        Self { collective, communicators, messages, decision: Decision::library(), places }
    }
}

/// The rules of a file by collective, in the order in which its library tries them.
#[derive(Debug)]
pub(super) struct Rules {
    collectives: BTreeMap<&'static str, (Vec<Rule>, FirstMatchIndex)>,
    format: &'static Format,
}

impl Rules {
    pub(super) fn new(rules: impl IntoIterator<Item = Rule>, format: &'static Format) -> Self {
        let mut collectives: BTreeMap<&'static str, (Vec<Rule>, FirstMatchIndex)> = BTreeMap::new();
        for rule in rules {
            let (known, index) = collectives.entry(rule.collective).or_default();
            index.rectangles.push((rule.communicators.clone(), rule.messages.clone()));
            known.push(rule);
        }
        Self { collectives, format }
    }

    fn rules_for(&self, collective: &str) -> &[Rule] {
        self.collectives.get(collective).map_or(&[], |(rules, _)| rules)
    }

    /// Returns the first rule that matches a call.
    fn find(&self, collective: &str, comm_size: u64, msg_size: u64) -> Option<&Rule> {
        let (rules, index) = self.collectives.get(collective)?;
        index.find(comm_size, msg_size).map(|index| &rules[index])
    }
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        let known = self.format.library.collectives().iter().map(|known| known.name);
        known.filter(|name| !self.rules_for(name).is_empty()).map(str::to_owned).collect()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let rules = self.rules_for(collective);
        let communicators = rules.iter().flat_map(|rule| edges(&rule.communicators));
        (communicators.collect(), rules.iter().flat_map(|rule| edges(&rule.messages)).collect())
    }

    fn message_starts(&self, collective: &str, comm_size: u64) -> Vec<u64> {
        let Some((_, index)) = self.collectives.get(collective) else { return Vec::new() };
        index.bands(comm_size, |bands| bands.iter().map(|(from, _)| *from).collect())
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let rule = self.find(collective, comm_size, msg_size);
        rule.map_or_else(Decision::library, |rule| rule.decision.clone())
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let rule = self.find(collective, comm_size, msg_size);
        rule.map(|rule| rule.places.clone()).unwrap_or_default()
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        self.format.unit(collective)
    }
}

/// Returns the first size of a range, and the first after it.
fn edges(range: &RangeInclusive<u64>) -> impl Iterator<Item = u64> + use<> {
    [Some(*range.start()), range.end().checked_add(1)].into_iter().flatten()
}

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
        self.bands(comm_size, |bands| last_from(bands, msg_size).1)
    }

    /// Returns what is read from the bands of a communicator size.
    fn bands<T>(&self, comm_size: u64, read: impl FnOnce(&[(u64, Option<usize>)]) -> T) -> T {
        let mut row = self.row.borrow_mut();
        let row = match &mut *row {
            Some(row) if row.communicators.contains(&comm_size) => row,
            other => other.insert(self.row(comm_size)),
        };
        read(&row.bands)
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
