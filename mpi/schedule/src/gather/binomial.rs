//! A binomial tree whose subtrees send their blocks in one message.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::slots::{self, Shape};

/// The binomial tree whose farthest child has the largest subtree.
pub(crate) static BINOMIAL: Entry = Entry {
    collective: Collective::Gather,
    name: "binomial",
    summary: "a binomial tree whose inner ranks collect the blocks of their subtrees",
    segmented: false,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| slots::gather(Shape::Binomial, request, rank, ops)),
};
