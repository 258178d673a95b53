//! Reductions to a root.

mod binary;
mod bine;
mod binomial;
mod chain;
mod circulant;
mod in_order_binary;
mod knomial;
mod linear;
mod multirail;
mod pipeline;
mod scatter_gather;
mod two_tree;

use super::algorithm::Entry;

/// The reductions to a root, in display order.
pub(super) static ALL: &[&Entry] = &[
    &linear::LINEAR,
    &chain::CHAIN,
    &pipeline::PIPELINE,
    &binary::BINARY,
    &in_order_binary::IN_ORDER_BINARY,
    &binomial::BINOMIAL,
    &knomial::KNOMIAL,
    &scatter_gather::SCATTER_GATHER,
    &multirail::MULTIRAIL,
    &two_tree::TWO_TREE,
    &circulant::CIRCULANT,
    &bine::BINE,
];
