//! The broadcast `binomial`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::BINOMIAL`].
pub(crate) static BINOMIAL: Entry = Entry {
    collective: Collective::Reduce,
    name: "binomial",
    summary: "a binomial tree",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::BINOMIAL, request)),
};
