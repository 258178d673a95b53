//! Barriers.

mod dissemination;
mod linear;
mod recursive_doubling;
mod tree;

use super::algorithm::Entry;

pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &linear::LINEAR,
    &dissemination::DISSEMINATION,
    &recursive_doubling::RECURSIVE_DOUBLING,
    &tree::TREE,
];
