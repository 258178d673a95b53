//! What every rank has for each rank apart.

mod bruck;
mod linear;
mod pairwise;
mod rotated;

pub(super) use bruck::BRUCK;
pub(super) use linear::LINEAR;
pub(super) use pairwise::PAIRWISE;
pub(super) use rotated::ROTATED;
