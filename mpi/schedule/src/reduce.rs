//! Reductions to a root.

mod in_order_binary;
mod linear;
mod mirrored;
mod scatter_gather;

use super::algorithm::Entry;

/// The reductions to a root, in display order.
pub(super) static ALL: &[&Entry] = &[
    &linear::LINEAR,
    &mirrored::CHAIN,
    &mirrored::PIPELINE,
    &mirrored::BINARY,
    &in_order_binary::IN_ORDER_BINARY,
    &mirrored::BINOMIAL,
    &mirrored::KNOMIAL,
    &scatter_gather::SCATTER_GATHER,
    &mirrored::MULTIRAIL,
    &mirrored::TWO_TREE,
    &mirrored::CIRCULANT,
    &mirrored::BINE,
];
