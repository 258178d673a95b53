//! The broadcast `bine`, run backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{bcast, mirror};

/// The mirror of [`bcast::BINE`].
pub(crate) static BINE: Entry = Entry {
    collective: Collective::Reduce,
    name: "bine",
    summary: "a binomial tree over negabinary numbers",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Planned(|request| mirror::reduce(&bcast::BINE, request)),
};
