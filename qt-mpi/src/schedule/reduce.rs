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

pub(super) use binary::BINARY;
pub(super) use bine::BINE;
pub(super) use binomial::BINOMIAL;
pub(super) use chain::CHAIN;
pub(super) use circulant::CIRCULANT;
pub(super) use in_order_binary::IN_ORDER_BINARY;
pub(super) use knomial::KNOMIAL;
pub(super) use linear::LINEAR;
pub(super) use multirail::MULTIRAIL;
pub(super) use pipeline::PIPELINE;
pub(super) use scatter_gather::SCATTER_GATHER;
pub(super) use two_tree::TWO_TREE;
