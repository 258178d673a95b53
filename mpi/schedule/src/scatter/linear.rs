//! A flat tree: the root sends every rank its block.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::slots::{self, Shape};

/// The flat tree.
pub(crate) static LINEAR: Entry = Entry {
    collective: Collective::Scatter,
    name: "linear",
    summary: "the root sends to every rank",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::scatter(Shape::Flat, request, rank, ops)),
};
