//! The broadcast `pipeline`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::PIPELINE`].
pub(crate) static PIPELINE: Entry = Entry {
    collective: Collective::Reduce,
    name: "pipeline",
    summary: "one chain of all ranks",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::PIPELINE, request)),
};
