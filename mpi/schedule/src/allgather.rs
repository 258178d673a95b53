//! Allgathers: every rank receives the blocks of all ranks.

mod bruck;
mod multirail;
mod neighbor_exchange;
mod recursive_doubling;
mod ring;

pub(super) use multirail::MULTIRAIL;

use super::algorithm::Entry;

/// The allgathers, in display order.
pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &ring::RING,
    &recursive_doubling::RECURSIVE_DOUBLING,
    &bruck::BRUCK,
    &neighbor_exchange::NEIGHBOR_EXCHANGE,
    &MULTIRAIL,
];
