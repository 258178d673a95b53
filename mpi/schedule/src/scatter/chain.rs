//! A chain: every rank passes on the blocks of the ranks behind it.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::slots::{self, Shape};

/// One chain of all ranks.
pub(crate) static CHAIN: Entry = Entry {
    collective: Collective::Scatter,
    name: "chain",
    summary: "every rank forwards the blocks of the ranks behind it",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::scatter(Shape::Chain, request, rank, ops)),
};
