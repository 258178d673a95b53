//! Reviews: whether decisions changed, were measured, and are followed.

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod verify;
