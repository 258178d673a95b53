//! The broadcast `knomial`, run backwards.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry, Parameter};
use crate::schedule::{bcast, mirror};

/// The mirror of [`bcast::KNOMIAL`].
pub(in crate::schedule) static KNOMIAL: Entry = Entry {
    collective: Collective::Reduce,
    name: "knomial",
    summary: "a k-nomial tree",
    segmented: true,
    ordered: false,
    parameters: &[Parameter::Radix],
    build: Build::Planned(|request| mirror::reduce(&bcast::KNOMIAL, request)),
};
