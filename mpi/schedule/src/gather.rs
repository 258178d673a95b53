//! Gathers: the root receives the blocks of all ranks.

use super::algorithm::{Build, Entry};
use super::slots::{self, Shape};
use crate::Collective;

/// The gathers, in display order.
pub(super) static ALL: &[&Entry] = &[&LINEAR, &CHAIN, &BINOMIAL];

/// The flat tree.
static LINEAR: Entry = Entry::new(
    Collective::Gather,
    "linear",
    "every rank sends to the root",
    Build::Local(|request, rank, ops| slots::gather(Shape::Flat, request, rank, ops)),
);

/// One chain of all ranks.
static CHAIN: Entry = Entry::new(
    Collective::Gather,
    "chain",
    "every rank adds its block to those it forwards",
    Build::Local(|request, rank, ops| slots::gather(Shape::Chain, request, rank, ops)),
);

/// The binomial tree whose farthest child has the largest subtree.
static BINOMIAL: Entry = Entry::new(
    Collective::Gather,
    "binomial",
    "a binomial tree whose inner ranks collect the blocks of their subtrees",
    Build::Local(|request, rank, ops| slots::gather(Shape::Binomial, request, rank, ops)),
);
