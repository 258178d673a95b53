//! Allreduces: reductions whose result every rank receives.

mod circulant;
mod multirail;
mod rabenseifner;
mod recursive_doubling;
mod reduce_bcast;
mod ring;
mod segmented_ring;

use super::algorithm::Entry;

/// The allreduces, in display order.
pub(super) static ALL: &[&Entry] = &[
    &reduce_bcast::REDUCE_BCAST,
    &recursive_doubling::RECURSIVE_DOUBLING,
    &ring::RING,
    &segmented_ring::SEGMENTED_RING,
    &rabenseifner::RABENSEIFNER,
    &circulant::CIRCULANT,
    &multirail::MULTIRAIL,
];
