//! Broadcasts run backwards.

use crate::Collective;
use crate::algorithm::Entry;
use crate::{bcast, mirror};

/// Returns the mirror of a broadcast.
const fn of(broadcast: &'static Entry, summary: &'static str) -> Entry {
    Entry::from(broadcast, Collective::Reduce, summary, mirror::reduce)
}

pub(super) static CHAIN: Entry = of(&bcast::CHAIN, "several chains that end at the root");
pub(super) static PIPELINE: Entry = of(&bcast::PIPELINE, "one chain of all ranks");
pub(super) static BINARY: Entry = of(&bcast::BINARY, "a binary tree");
pub(super) static BINOMIAL: Entry = of(&bcast::BINOMIAL, "a binomial tree");
pub(super) static KNOMIAL: Entry = of(&bcast::KNOMIAL, "a k-nomial tree");
pub(super) static MULTIRAIL: Entry =
    of(&bcast::MULTIRAIL, "two heaps, each for one half of the message on one of two rails");
pub(super) static TWO_TREE: Entry =
    of(&bcast::TWO_TREE, "two in-order binary trees, each for one half of the message");
pub(super) static CIRCULANT: Entry =
    of(&bcast::CIRCULANT, "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum");
pub(super) static BINE: Entry = of(&bcast::BINE, "a binomial tree over negabinary numbers");
