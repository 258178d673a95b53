//! The best segment size and radix of each algorithm for a call.
//!
//! The radix is searched as the segment is, by a scan and a climb: the scan takes the least radix of every height, see [`radices`], and
//! for messages without segments also all small ones; the climb moves to neighbouring radices while they are better. With segments,
//! the scan tries every pair, and the climbs follow each other: first the segment's, then the radix's.

use std::iter;

use super::{Candidate, Method, Prediction, Predictor, Size, TimeSource, sorted};
use crate::models::{self, Found};
use qtdec_mpi_schedule::radix::{DEFAULT_RADIX, radices};

/// The least bytes of a simulated segment. The first multiple of an element that has so many is also the step of the search. Smaller
/// segments are mostly header, and take long to simulate.
const MIN_SIMULATED: u64 = 64;

/// The largest radix up to which all are tried for a message without segments.
const ALL_UP_TO: u32 = 64;

impl Predictor<'_> {
    /// Returns, for one call, the time of every algorithm without segments and with the best segment that a scan and a climb find,
    /// the fastest first. Both are with the best radix if the algorithm has one and its name does not set it. If the ranks are on
    /// several nodes or in several clusters, and no algorithms are named, also that of the best composition of two or, with both, three levels that is found.
    pub fn search(&self, size: Size) -> Vec<Prediction> {
        let radices = radices(size.comm_size);
        let mut found = Vec::new();
        for candidate in &self.algorithms {
            if candidate.levels.is_some() {
                found.extend(first_least(iter::once(self.prediction(candidate.method(None), size))));
                continue;
            }
            let tried = |radices: &mut dyn Iterator<Item = u32>| match candidate.radix {
                None if candidate.has_radix => radices.map(Some).collect(),
                named => vec![named],
            };
            let small = 2..=ALL_UP_TO.min(size.comm_size);
            let mut uncut = tried(&mut small.chain(radices.iter().copied()));
            uncut.sort_unstable();
            uncut.dedup();
            found.extend(self.best_uncut(candidate, &uncut, size));
            if candidate.segmented {
                found.extend(self.best_cut(candidate, &tried(&mut radices.iter().copied()), size));
            }
        }
        found.extend(self.best_composition(size));
        sorted(found)
    }

    /// Returns the methods without segments, each with the radix that it has.
    pub(super) fn uncut_with_radix(&self) -> Vec<Method> {
        let radix = |known: &Candidate| known.radix.or(known.has_radix.then_some(DEFAULT_RADIX));
        let runnable = self.algorithms.iter().filter(|known| !self.is_model(known.name));
        runnable.map(|known| Method { radix: radix(known), ..known.method(None) }).collect()
    }

    /// Returns whether an algorithm is a model of a network or a protocol, which no program can choose.
    pub(super) fn is_model(&self, algorithm: &str) -> bool {
        matches!(self.time_source, TimeSource::Formula(_))
            && models::formula(self.collective, algorithm).is_ok_and(|formula| formula.is_model)
    }

    /// Returns the position of an algorithm among those that are predicted.
    pub(super) fn place(&self, algorithm: &str) -> Option<usize> {
        self.algorithms.iter().position(|candidate| candidate.name == algorithm)
    }

    fn best_uncut(&self, known: &Candidate, radices: &[Option<u32>], size: Size) -> Option<Prediction> {
        let methods = radices.iter().map(|&radix| Method { radix, ..known.method(None) });
        let best = first_least(methods.map(|method| self.prediction(method, size)))?;
        Some(self.climbed(best, radices, size))
    }

    fn best_cut(&self, known: &Candidate, radices: &[Option<u32>], size: Size) -> Option<Prediction> {
        let element = self.segment_step();
        let with = |radix, segment| Method { radix, ..known.method(Some(segment)) };
        let time = |radix| move |segment| self.prediction(with(radix, segment), size).seconds;
        let scanned = radices.iter().filter_map(|&radix| {
            let Found { segment, seconds } = models::scan(size.msg_size, element, time(radix))?;
            Some(Prediction { method: with(radix, segment), seconds })
        });
        let Prediction { method, seconds } = first_least(scanned)?;
        let from = Found { segment: method.segment_size.unwrap_or(size.msg_size), seconds };
        let Found { segment, seconds } = models::climb(from, size.msg_size, element, time(method.radix));
        let best = Prediction { method: with(method.radix, segment), seconds };
        let best = self.climbed(best, radices, size);
        best.seconds.is_finite().then_some(best)
    }

    /// Returns the step between the segment sizes of a search, and the least of them.
    pub(super) fn segment_step(&self) -> u64 {
        let least = if self.time_source == TimeSource::Simulated { MIN_SIMULATED } else { 1 };
        self.element_size.get().saturating_mul(least.div_ceil(self.element_size.get()))
    }

    /// Climbs from a radix to a local minimum, unless the radix is the only one to try.
    fn climbed(&self, from: Prediction, tried: &[Option<u32>], size: Size) -> Prediction {
        let Some(radix) = from.method.radix.filter(|_| tried.len() > 1) else { return from };
        let with = |radix: u64| Method { radix: u32::try_from(radix).ok(), ..from.method.clone() };
        let time = |radix: u64| {
            if radix < 2 { f64::INFINITY } else { self.prediction(with(radix), size).seconds }
        };
        let start = Found { segment: u64::from(radix), seconds: from.seconds };
        let best = models::climb(start, u64::from(size.comm_size), 1, time);
        Prediction { method: with(best.segment), seconds: best.seconds }
    }

    /// Returns the time of a method, infinite if it has none.
    pub(super) fn prediction(&self, method: Method, size: Size) -> Prediction {
        let seconds = self.times(&[(&method, size)], || ()).pop().flatten().unwrap_or(f64::INFINITY);
        Prediction { method, seconds }
    }
}

/// Returns the first of the least times, if one is finite.
pub(super) fn first_least(predictions: impl Iterator<Item = Prediction>) -> Option<Prediction> {
    let least = predictions.min_by(|one, other| one.seconds.total_cmp(&other.seconds))?;
    least.seconds.is_finite().then_some(least)
}
