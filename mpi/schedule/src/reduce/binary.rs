//! The broadcast `binary`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::BINARY`].
pub(crate) static BINARY: Entry = Entry {
    collective: Collective::Reduce,
    name: "binary",
    summary: "a binary tree",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::BINARY, request)),
};
