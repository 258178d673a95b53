//! A chain: every rank adds its block to those it passes on.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry};
use crate::schedule::slots::{self, Shape};

/// One chain of all ranks.
pub(in crate::schedule) static CHAIN: Entry = Entry {
    collective: Collective::Gather,
    name: "chain",
    summary: "every rank adds its block to those it forwards",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::gather(Shape::Chain, request, rank, ops)),
};
