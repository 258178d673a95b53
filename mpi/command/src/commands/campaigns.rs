//! Campaigns: scripts that measure a library.

pub(crate) mod measure;
pub(crate) mod options;
