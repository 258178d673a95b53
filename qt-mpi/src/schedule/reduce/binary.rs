//! The broadcast `binary`, run backwards.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry};
use crate::schedule::{bcast, mirror};

/// The mirror of [`bcast::BINARY`].
pub(in crate::schedule) static BINARY: Entry = Entry {
    collective: Collective::Reduce,
    name: "binary",
    summary: "a binary tree",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::BINARY, request)),
};
