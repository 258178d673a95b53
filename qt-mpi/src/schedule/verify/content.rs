//! The contents of bytes: the inputs of which ranks, from which offset.

use std::fmt;
use std::rc::Rc;

use super::memory::Memory;
use super::{Fault, FaultKind};
use crate::schedule::standard::{Expected, results};
use crate::schedule::{Part, Schedule, Span};

/// The inputs from which a run of bytes is made. Its n-th byte comes from byte `origin + n` of the inputs of `ranks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) origin: u64,
    /// Disjoint ranges of ranks, ascending.
    pub(super) ranks: Rc<[(u32, u32)]>,
}

impl Content {
    /// Returns the input of `rank` from its byte `origin` on.
    pub(super) fn input(rank: u32, origin: u64) -> Self {
        Self { origin, ranks: Rc::new([(rank, rank + 1)]) }
    }

    /// Returns the content that begins `bytes` bytes later.
    pub(super) fn advanced(&self, bytes: u64) -> Self {
        Self { origin: self.origin + bytes, ranks: Rc::clone(&self.ranks) }
    }

    /// Combines this content with the content to its right.
    pub(super) fn combine(&self, right: &Self, part: Part, commutative: bool) -> Result<Self, FaultKind> {
        if self.origin != right.origin {
            return Err(FaultKind::Misaligned { part });
        }
        let mut ranks: Vec<_> = self.ranks.iter().chain(right.ranks.iter()).copied().collect();
        ranks.sort_unstable();
        if let Some(pair) = ranks.windows(2).find(|pair| pair[1].0 < pair[0].1) {
            return Err(FaultKind::Twice { part, of: pair[1].0 });
        }
        let (left, next) = (self.ranks[self.ranks.len() - 1].1, right.ranks[0].0);
        if !commutative && left != next {
            return Err(FaultKind::RankOrder { part, left: left - 1, right: next });
        }
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranks.len());
        for (from, to) in ranks {
            match joined.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => joined.push((from, to)),
            }
        }
        Ok(Self { origin: self.origin, ranks: joined.into() })
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the input of ")?;
        for (index, &(from, to)) in self.ranks.iter().enumerate() {
            f.write_str(match index {
                0 if self.ranks.len() == 1 && to - from == 1 => "rank ",
                0 => "ranks ",
                _ => ", ",
            })?;
            if to - from == 1 { write!(f, "{from}")? } else { write!(f, "{from}..={}", to - 1)? }
        }
        write!(f, " from byte {} on", self.origin)
    }
}

/// Checks that every rank ends with what the standard requires.
pub(super) fn check(schedule: &Schedule, memories: &[Memory]) -> Result<(), Fault> {
    let all: Rc<[(u32, u32)]> = Rc::new([(0, schedule.request.comm_size())]);
    for (rank, memory) in (0..).zip(memories) {
        for Expected { part, origin, source } in results(schedule.collective, &schedule.request, rank) {
            let expected = match source {
                Some(source) => Content::input(source, origin),
                None => Content { origin, ranks: Rc::clone(&all) },
            };
            let mut at = 0;
            for (bytes, found) in memory.runs(part) {
                let expected = expected.advanced(at);
                if found.as_ref() != Some(&expected) {
                    let part = Span { offset: part.offset + at, bytes }.of(part.buffer);
                    let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
                    let expected = expected.to_string();
                    return Err(Fault::alone(FaultKind::Result { rank, part, found, expected }));
                }
                at += bytes;
            }
        }
    }
    Ok(())
}
