//! The broadcast `two_tree`, run backwards.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry};
use crate::schedule::{bcast, mirror};

/// The mirror of [`bcast::TWO_TREE`].
pub(in crate::schedule) static TWO_TREE: Entry = Entry {
    collective: Collective::Reduce,
    name: "two_tree",
    summary: "two in-order binary trees, each for one half of the message",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::TWO_TREE, request)),
};
