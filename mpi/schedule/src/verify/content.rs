//! The contents of bytes: the inputs of which ranks, from which offset.

use std::fmt;
use std::rc::Rc;

use crate::Part;
use crate::fault::FaultKind;

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

    /// Returns whether another content follows the first `bytes` bytes of this one in the inputs of the same ranks.
    pub(super) fn is_continued_by(&self, bytes: u64, other: &Self) -> bool {
        let same = Rc::ptr_eq(&self.ranks, &other.ranks) || self.ranks == other.ranks;
        self.origin + bytes == other.origin && same
    }

    /// Combines this content with the content to its right.
    pub(super) fn combine(&self, right: &Self, part: Part, commutative: bool) -> Result<Self, FaultKind> {
        if self.origin != right.origin {
            return Err(FaultKind::Misaligned(part));
        }
        let mut ranks = [&*self.ranks, &right.ranks].concat();
        #[expect(clippy::stable_sort_primitive, reason = "it merges two ascending lists in linear time")]
        ranks.sort();
        if let Some(pair) = ranks.windows(2).find(|pair| pair[1].0 < pair[0].1) {
            return Err(FaultKind::Twice(part, pair[1].0));
        }
        let (left, next) = (self.ranks[self.ranks.len() - 1].1, right.ranks[0].0);
        if !commutative && left != next {
            return Err(FaultKind::RankOrder(part, left - 1, next));
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
