//! Scatters and gathers: the blocks of all ranks travel down a tree from the root, or up to it.

use super::algorithm::{Build, Entry};
use super::slots::Shape;
use crate::Collective;

const fn down(shape: Shape, name: &'static str, summary: &'static str) -> Entry {
    Entry::new(Collective::Scatter, name, summary, Build::Subtrees(shape))
}

pub(super) static SCATTERS: &[&Entry] = &[
    &down(Shape::Flat, "linear", "the root sends to every rank"),
    &down(Shape::Chain, "chain", "every rank forwards the blocks of the ranks behind it"),
    &down(
        Shape::Binomial,
        "binomial",
        "a binomial tree whose inner ranks forward the blocks of their subtrees",
    ),
];

const fn up(shape: Shape, name: &'static str, summary: &'static str) -> Entry {
    Entry::new(Collective::Gather, name, summary, Build::Subtrees(shape))
}

pub(super) static GATHERS: &[&Entry] = &[
    &up(Shape::Flat, "linear", "every rank sends to the root"),
    &up(Shape::Chain, "chain", "every rank adds its block to those it forwards"),
    &up(
        Shape::Binomial,
        "binomial",
        "a binomial tree whose inner ranks collect the blocks of their subtrees",
    ),
];
