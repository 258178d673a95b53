//! Broadcasts.

mod bine;
mod circulant;
mod multirail;
mod scatter_allgather;
mod split_binary;
mod trees;
mod two_tree;

pub(super) use bine::BINE;
pub(super) use circulant::CIRCULANT;
pub(super) use multirail::MULTIRAIL;
pub(super) use trees::{BINARY, BINOMIAL, CHAIN, KNOMIAL, PIPELINE};
pub(super) use two_tree::TWO_TREE;

use super::algorithm::Entry;

pub(super) static ALL: &[&Entry] = &[
    &trees::LINEAR,
    &CHAIN,
    &PIPELINE,
    &BINARY,
    &split_binary::SPLIT_BINARY,
    &BINOMIAL,
    &KNOMIAL,
    &trees::DARY,
    &scatter_allgather::SCATTER_ALLGATHER,
    &scatter_allgather::SCATTER_ALLGATHER_RING,
    &MULTIRAIL,
    &TWO_TREE,
    &CIRCULANT,
    &BINE,
];
