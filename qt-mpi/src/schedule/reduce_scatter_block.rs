//! Reduce-scatters: reductions of which every rank receives a block.

mod pairwise;
mod recursive_halving;
mod ring;

pub(super) use pairwise::PAIRWISE;
pub(super) use recursive_halving::RECURSIVE_HALVING;
pub(super) use ring::RING;
