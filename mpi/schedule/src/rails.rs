//! The rails of a node.

/// The maximum number of rails (network ports) of a node, more than any node has had.
pub const MAX_RAILS: u32 = 64;
