//! All-to-alls: every rank has a separate block for each rank.

mod bruck;
mod linear;
mod pairwise;
mod rotated;

pub(super) use bruck::BRUCK;
pub(super) use linear::LINEAR;
pub(super) use pairwise::PAIRWISE;
pub(super) use rotated::ROTATED;
