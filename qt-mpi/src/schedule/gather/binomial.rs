//! A binomial tree whose subtrees send their blocks in one message.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry};
use crate::schedule::slots::{self, Shape};

/// The binomial tree whose farthest child has the largest subtree.
pub(in crate::schedule) static BINOMIAL: Entry = Entry {
    collective: Collective::Gather,
    name: "binomial",
    summary: "a binomial tree whose inner ranks collect the blocks of their subtrees",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::gather(Shape::Binomial, request, rank, ops)),
};
