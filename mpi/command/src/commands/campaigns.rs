//! Campaigns: scripts that measure a library.

pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod race;
pub(crate) mod race_next;
