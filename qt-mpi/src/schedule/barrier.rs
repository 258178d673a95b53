//! Barriers.

mod dissemination;
mod linear;
mod recursive_doubling;
mod tree;

pub(super) use dissemination::DISSEMINATION;
pub(super) use linear::LINEAR;
pub(super) use recursive_doubling::RECURSIVE_DOUBLING;
pub(super) use tree::TREE;
