//! Reduce-scatters: reductions of which every rank receives a block.

mod pairwise;
mod recursive_halving;
mod ring;

use super::algorithm::Entry;

/// The reduce-scatters, in display order.
pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &recursive_halving::RECURSIVE_HALVING,
    &pairwise::PAIRWISE,
    &ring::RING,
];
