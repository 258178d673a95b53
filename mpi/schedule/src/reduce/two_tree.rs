//! The broadcast `two_tree`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::TWO_TREE`].
pub(crate) static TWO_TREE: Entry = Entry {
    collective: Collective::Reduce,
    name: "two_tree",
    summary: "two in-order binary trees, each for one half of the message",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::TWO_TREE, request)),
};
