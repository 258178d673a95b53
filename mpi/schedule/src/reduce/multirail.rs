//! The broadcast `multirail`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry, Parameter};
use crate::{bcast, mirror};

/// The mirror of [`bcast::MULTIRAIL`].
pub(crate) static MULTIRAIL: Entry = Entry {
    collective: Collective::Reduce,
    name: "multirail",
    summary: "two heaps, each for one half of the message on one of two rails",
    segmented: true,
    ordered: false,
    parameters: &[Parameter::Clusters],
    build: Build::Planned(|request| mirror::reduce(&bcast::MULTIRAIL, request)),
};
