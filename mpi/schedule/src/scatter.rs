//! Scatters: the root sends each rank its block.

use super::algorithm::{Build, Entry};
use super::slots::{self, Shape};
use crate::Collective;

/// The scatters, in display order.
pub(super) static ALL: &[&Entry] = &[&LINEAR, &CHAIN, &BINOMIAL];

/// The flat tree.
static LINEAR: Entry = Entry::new(
    Collective::Scatter,
    "linear",
    "the root sends to every rank",
    Build::Local(|request, rank, ops| slots::scatter(Shape::Flat, request, rank, ops)),
);

/// One chain of all ranks.
static CHAIN: Entry = Entry::new(
    Collective::Scatter,
    "chain",
    "every rank forwards the blocks of the ranks behind it",
    Build::Local(|request, rank, ops| slots::scatter(Shape::Chain, request, rank, ops)),
);

/// The binomial tree whose farthest child has the largest subtree.
static BINOMIAL: Entry = Entry::new(
    Collective::Scatter,
    "binomial",
    "a binomial tree whose inner ranks forward the blocks of their subtrees",
    Build::Local(|request, rank, ops| slots::scatter(Shape::Binomial, request, rank, ops)),
);
