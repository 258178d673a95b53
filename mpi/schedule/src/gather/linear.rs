//! A flat tree: every rank sends its block to the root.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::slots::{self, Shape};

/// The flat tree.
pub(crate) static LINEAR: Entry = Entry {
    collective: Collective::Gather,
    name: "linear",
    summary: "every rank sends to the root",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::gather(Shape::Flat, request, rank, ops)),
};
