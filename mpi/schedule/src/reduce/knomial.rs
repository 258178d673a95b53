//! The broadcast `knomial`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry, Parameter};
use crate::{bcast, mirror};

/// The mirror of [`bcast::KNOMIAL`].
pub(crate) static KNOMIAL: Entry = Entry {
    collective: Collective::Reduce,
    name: "knomial",
    summary: "a k-nomial tree",
    segmented: true,
    ordered: false,
    parameters: &[Parameter::Radix],
    build: Build::Planned(|request| mirror::reduce(&bcast::KNOMIAL, request)),
};
