//! Allreduces: reductions whose result every rank receives.

mod circulant;
mod rabenseifner;
mod recursive_doubling;
mod reduce_bcast;
mod ring;
mod segmented_ring;

pub(super) use circulant::CIRCULANT;
pub(super) use rabenseifner::RABENSEIFNER;
pub(super) use recursive_doubling::RECURSIVE_DOUBLING;
pub(super) use reduce_bcast::REDUCE_BCAST;
pub(super) use ring::RING;
pub(super) use segmented_ring::SEGMENTED_RING;
