//! A chain: every rank adds its block to those it passes on.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::slots::{self, Shape};

/// One chain of all ranks.
pub(crate) static CHAIN: Entry = Entry {
    collective: Collective::Gather,
    name: "chain",
    summary: "every rank adds its block to those it forwards",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::gather(Shape::Chain, request, rank, ops)),
};
