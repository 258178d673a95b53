//! The broadcast `circulant`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::CIRCULANT`].
pub(crate) static CIRCULANT: Entry = Entry {
    collective: Collective::Reduce,
    name: "circulant",
    summary: "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::CIRCULANT, request)),
};
