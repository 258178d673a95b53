//! The broadcast `chain`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry, Parameter};
use crate::{bcast, mirror};

/// The mirror of [`bcast::CHAIN`].
pub(crate) static CHAIN: Entry = Entry {
    collective: Collective::Reduce,
    name: "chain",
    summary: "several chains that end at the root",
    segmented: true,
    ordered: false,
    parameters: &[Parameter::Chains],
    build: Build::Planned(|request| mirror::reduce(&bcast::CHAIN, request)),
};
