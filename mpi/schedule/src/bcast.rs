//! Broadcasts.

mod binary;
mod bine;
mod binomial;
mod chain;
mod circulant;
mod dary;
mod knomial;
mod linear;
mod multirail;
mod pipeline;
mod scatter_allgather;
mod scatter_allgather_ring;
mod split_binary;
mod two_tree;

pub(super) use binary::BINARY;
pub(super) use bine::BINE;
pub(super) use binomial::BINOMIAL;
pub(super) use chain::CHAIN;
pub(super) use circulant::CIRCULANT;
pub(super) use knomial::KNOMIAL;
pub(super) use multirail::MULTIRAIL;
pub(super) use pipeline::PIPELINE;
pub(super) use two_tree::TWO_TREE;

use super::algorithm::Entry;

/// The broadcasts, in display order.
pub(super) static ALL: &[&Entry] = &[
    &linear::LINEAR,
    &CHAIN,
    &PIPELINE,
    &BINARY,
    &split_binary::SPLIT_BINARY,
    &BINOMIAL,
    &KNOMIAL,
    &dary::DARY,
    &scatter_allgather::SCATTER_ALLGATHER,
    &scatter_allgather_ring::SCATTER_ALLGATHER_RING,
    &MULTIRAIL,
    &TWO_TREE,
    &CIRCULANT,
    &BINE,
];
