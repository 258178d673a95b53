//! Gathers: the root receives the blocks of all ranks.

use super::algorithm::{Build, Entry};
use super::slots::Shape;
use crate::Collective;

const fn up(shape: Shape, name: &'static str, summary: &'static str) -> Entry {
    Entry::new(Collective::Gather, name, summary, Build::Subtrees(shape))
}

pub(super) static ALL: &[&Entry] = &[
    &up(Shape::Flat, "linear", "every rank sends to the root"),
    &up(Shape::Chain, "chain", "every rank adds its block to those it forwards"),
    &up(
        Shape::Binomial,
        "binomial",
        "a binomial tree whose inner ranks collect the blocks of their subtrees",
    ),
];
