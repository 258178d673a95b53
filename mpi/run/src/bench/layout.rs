//! What the size of a call counts, and where its blocks are.
//!
//! The size is that of MPI's own signature ([`natural_basis_or_buffer`]), as the profiler counts calls and tuning files are written: the
//! bytes of the message, of a rank's block, or of all blocks of `reduce_scatter`. Collectives with a count for each rank have the mean
//! block as their size.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use qtdec_core::Basis;
use qtdec_mpi_library::catalogue::natural_basis_or_buffer;
use qtdec_mpi_schedule::Collective;

use crate::mpi::Operands;

/// How the blocks of collectives with a count for each rank differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    /// How often the first block is in the last one. Those between grow by the same amount each.
    factor: u32,
}

impl Blocks {
    pub(crate) const EQUAL: Self = Self { factor: 1 };

    /// Returns the elements before a block, of as many in all. Where they do not come out even, borders are rounded down.
    fn before(self, index: u64, ranks: u64, elements: u64) -> u64 {
        let steps = u128::from(ranks).saturating_sub(1).max(1);
        // Block i has the weight (ranks - 1) + i (factor - 1).
        let weight = |index: u64| {
            let index = u128::from(index);
            index * steps + u128::from(self.factor - 1) * index * index.saturating_sub(1) / 2
        };
        (u128::from(elements) * weight(index) / weight(ranks).max(1)) as u64
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.factor {
            1 => f.write_str("equal"),
            factor => write!(f, "skewed:{factor}"),
        }
    }
}

impl FromStr for Blocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "equal" {
            return Ok(Self::EQUAL);
        }
        let factor = text.strip_prefix("skewed:").and_then(|factor| factor.parse().ok());
        let factor = factor.filter(|factor| (2..=1_000_000).contains(factor));
        factor
            .map(|factor| Self { factor })
            .ok_or_else(|| "not `equal`, and not `skewed:` with a factor from 2 to 1000000".to_owned())
    }
}

pub(crate) fn has_counts(collective: Collective) -> bool {
    collective.counts(1).is_some()
}

/// Returns the bytes of an element: reductions add 32-bit integers, and other collectives move bytes.
pub(crate) fn element_size(collective: Collective) -> u64 {
    if collective.is_reduction() { 4 } else { 1 }
}

/// A collective among as many ranks with one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) collective: Collective,
    pub(crate) ranks: u32,
    pub(crate) bytes: u64,
    pub(crate) blocks: Blocks,
}

impl Layout {
    fn basis(self) -> Basis {
        natural_basis_or_buffer(self.collective.name())
    }

    /// Returns the bytes of all blocks.
    fn all(self) -> u64 {
        if self.basis() == Basis::Total { self.bytes } else { self.bytes * u64::from(self.ranks) }
    }

    /// Returns the bytes before a block. Blocks are counted around the ranks.
    fn before(self, index: u32) -> u64 {
        let size = element_size(self.collective);
        let blocks = if has_counts(self.collective) { self.blocks } else { Blocks::EQUAL };
        let (rounds, index) = (index / self.ranks, index % self.ranks);
        let start = blocks.before(u64::from(index), u64::from(self.ranks), self.all() / size) * size;
        u64::from(rounds) * self.all() + start
    }

    /// Returns where a rank has its block for another one, or from it. In `alltoallv` each rank begins with its own number, so that all of
    /// them send and receive the same amount, in blocks of all sizes; otherwise all ranks have the same blocks.
    pub(crate) fn block(self, rank: u32, other: u32) -> Range<usize> {
        let first = if self.collective == Collective::Alltoallv { rank } else { 0 };
        let at = |index: u32| (self.before(first + index) - self.before(first)) as usize;
        at(other)..at(other + 1)
    }

    /// Returns the part of the whole that is a rank's own: its block, or the message.
    pub(crate) fn own(self, rank: u32) -> Range<usize> {
        if self.basis() == Basis::Buffer { 0..self.bytes as usize } else { self.block(rank, rank) }
    }

    /// Returns the bytes of a rank's own part, and of all blocks.
    pub(crate) fn extent(self, rank: u32) -> (usize, usize) {
        (self.own(rank).len(), self.all() as usize)
    }

    pub(crate) fn is_equal(self) -> bool {
        let elements = self.all() / element_size(self.collective);
        !has_counts(self.collective)
            || (self.blocks == Blocks::EQUAL && elements.is_multiple_of(u64::from(self.ranks)))
    }

    /// Returns what a rank passes to the library. Fails for more elements than MPI counts.
    pub(crate) fn operands(self, rank: u32) -> Result<Operands, String> {
        let blocks = (0..self.ranks).map(|other| self.block(rank, other));
        Operands::new(self.collective, element_size(self.collective), self.own(rank).len(), blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(collective: Collective, (ranks, rank): (u32, u32), bytes: u64, blocks: &str) -> Vec<usize> {
        let layout = Layout { collective, ranks, bytes, blocks: blocks.parse().unwrap() };
        (0..ranks).map(|other| layout.block(rank, other).len()).collect()
    }

    #[test]
    fn the_mean_block_is_the_size() {
        use Collective::{Alltoallv, Gatherv, Scatter};
        assert_eq!(blocks(Gatherv, (3, 1), 10, "equal"), [10, 10, 10]);
        assert_eq!(blocks(Gatherv, (3, 1), 10, "skewed:4"), [4, 10, 16]);
        assert_eq!(blocks(Gatherv, (4, 1), 10, "skewed:3"), [5, 8, 12, 15], "rounded");
        assert_eq!(blocks(Gatherv, (1, 0), 10, "skewed:3"), [10]);
        assert_eq!(blocks(Gatherv, (2, 0), 0, "skewed:3"), [0, 0]);
        assert_eq!(blocks(Scatter, (3, 1), 10, "skewed:4"), [10, 10, 10], "there is one count");
        assert_eq!(blocks(Alltoallv, (3, 0), 10, "skewed:4"), [4, 10, 16]);
        assert_eq!(blocks(Alltoallv, (3, 2), 10, "skewed:4"), [16, 4, 10], "each rank has all sizes");
    }

    #[test]
    fn the_size_of_reduce_scatter_is_that_of_all_blocks() {
        use Collective::ReduceScatter;
        assert_eq!(blocks(ReduceScatter, (3, 0), 48, "equal"), [16, 16, 16]);
        assert_eq!(blocks(ReduceScatter, (3, 0), 20, "equal"), [4, 8, 8], "whole elements");
        assert_eq!(blocks(ReduceScatter, (3, 0), 4, "skewed:2"), [0, 0, 4]);
        for (bytes, blocks, expected) in [(48, "equal", true), (20, "equal", false), (48, "skewed:2", false)]
        {
            let blocks = blocks.parse().unwrap();
            let layout = Layout { collective: ReduceScatter, ranks: 3, bytes, blocks };
            assert_eq!(layout.is_equal(), expected);
        }
    }

    #[test]
    fn many_large_blocks_are_exact() {
        let layout = Layout {
            collective: Collective::Allgatherv,
            ranks: 1 << 20,
            bytes: 1 << 30,
            blocks: "skewed:1000000".parse().unwrap(),
        };
        assert_eq!(layout.block(0, layout.ranks - 1).end, 1 << 50);
        assert!(layout.operands(0).is_err_and(|error| error.contains("measure smaller messages")));
    }

    #[test]
    fn options_are_words() {
        for text in ["equal", "skewed:4", "skewed:1000000"] {
            assert_eq!(text.parse::<Blocks>().unwrap().to_string(), text);
        }
        for text in ["", "skewed", "skewed:", "skewed:1", "skewed:0.5", "skewed:-2", "skewed:1000001"] {
            assert!(text.parse::<Blocks>().is_err(), "{text}");
        }
    }
}
