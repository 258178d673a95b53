//! Reductions to a root.

mod in_order_binary;
mod linear;
mod scatter_gather;

use super::algorithm::Entry;
use super::{bcast, mirror};
use crate::Collective;

const fn mirrored(broadcast: &'static Entry, summary: &'static str) -> Entry {
    Entry::from(broadcast, Collective::Reduce, summary, mirror::reduce)
}

pub(super) static ALL: &[&Entry] = &[
    &linear::LINEAR,
    &mirrored(&bcast::CHAIN, "several chains that end at the root"),
    &mirrored(&bcast::PIPELINE, "one chain of all ranks"),
    &mirrored(&bcast::BINARY, "a binary tree"),
    &in_order_binary::IN_ORDER_BINARY,
    &mirrored(&bcast::BINOMIAL, "a binomial tree"),
    &mirrored(&bcast::KNOMIAL, "a k-nomial tree"),
    &scatter_gather::SCATTER_GATHER,
    &mirrored(&bcast::MULTIRAIL, "two heaps, each for one half of the message on one of two rails"),
    &mirrored(&bcast::TWO_TREE, "two in-order binary trees, each for one half of the message"),
    &mirrored(&bcast::CIRCULANT, "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum"),
    &mirrored(&bcast::BINE, "a binomial tree over negabinary numbers"),
];
