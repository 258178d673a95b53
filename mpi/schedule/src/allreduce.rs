//! Allreduces: reductions whose result every rank receives.

mod circulant;
mod folded;
mod reduce_bcast;
mod ring;

use super::algorithm::Entry;

pub(super) static ALL: &[&Entry] = &[
    &reduce_bcast::REDUCE_BCAST,
    &folded::RECURSIVE_DOUBLING,
    &ring::RING,
    &ring::SEGMENTED_RING,
    &folded::RABENSEIFNER,
    &circulant::CIRCULANT,
    &reduce_bcast::MULTIRAIL,
];
