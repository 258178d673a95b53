//! All-to-alls: every rank has a separate block for each rank.

mod bruck;
mod linear;
mod pairwise;
mod rotated;

use super::algorithm::Entry;

/// The all-to-alls, in display order.
pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &linear::LINEAR,
    &rotated::ROTATED,
    &pairwise::PAIRWISE,
    &bruck::BRUCK,
];
