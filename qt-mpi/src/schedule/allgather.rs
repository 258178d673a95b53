//! Allgathers: every rank receives the blocks of all ranks.

mod bruck;
mod neighbor_exchange;
mod recursive_doubling;
mod ring;

pub(super) use bruck::BRUCK;
pub(super) use neighbor_exchange::NEIGHBOR_EXCHANGE;
pub(super) use recursive_doubling::RECURSIVE_DOUBLING;
pub(super) use ring::RING;
