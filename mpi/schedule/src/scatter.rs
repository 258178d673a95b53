//! Scatters: the root sends each rank its block.

use super::algorithm::{Build, Entry};
use super::slots::Shape;
use crate::Collective;

const fn down(shape: Shape, name: &'static str, summary: &'static str) -> Entry {
    Entry::new(Collective::Scatter, name, summary, Build::Subtrees(shape))
}

pub(super) static ALL: &[&Entry] = &[
    &down(Shape::Flat, "linear", "the root sends to every rank"),
    &down(Shape::Chain, "chain", "every rank forwards the blocks of the ranks behind it"),
    &down(
        Shape::Binomial,
        "binomial",
        "a binomial tree whose inner ranks forward the blocks of their subtrees",
    ),
];
