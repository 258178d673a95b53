//! The rules of Open MPI's trunk between releases, under their commits, at the time of the quadtree papers.
//!
//! `coll_tuned_decision_fixed.c` of October 2006 (ba3c247f2a), whose broadcasts were never released, and before 13 July 2007, when the
//! binomial tree of reduce was turned round: since February 2007 (b52dc9e427), reduce is linear for few ranks alone. In a segment of 32 KB
//! the comment says a binary tree and the code a pipeline; 6a9514ee08 of September 2008 follows the comment, and its message names the papers.

use crate::catalogue::Library;

use super::open_mpi_1_2 as released;
use super::{Call, Choice, RuleSet};

pub(super) const OF_2006: RuleSet =
    RuleSet { rules: &[("bcast", bcast), ("reduce", released::reduce)], ..of_commit("open-mpi-ba3c247f2a") };

pub(super) const OF_2007: RuleSet = RuleSet {
    rules: &[("bcast", released::bcast), ("reduce", |call| reduce(call, "pipeline"))],
    ..of_commit("open-mpi-b52dc9e427")
};

pub(super) const OF_2007_CORRECTED: RuleSet = RuleSet {
    rules: &[("bcast", released::bcast), ("reduce", |call| reduce(call, "binary"))],
    ..of_commit("open-mpi-b52dc9e427+6a9514ee08")
};

const fn of_commit(name: &'static str) -> RuleSet {
    RuleSet { name, library: Library::OpenMpi, rules: &[], substitute: |_, choice, _| choice }
}

fn bcast(call: &Call) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    let (ranks, kilobytes) = (p as f64, m as f64 / 1024.0);
    if m <= 1024 && p < 12 {
        Choice::new("basic_linear")
    } else if m < 8192 && (p < 12 || ranks < -7.8710 * kilobytes + 41.1613) {
        Choice::new("binary_tree")
    } else if m < 8192 {
        Choice::segmented("binary_tree", 1024)
    } else if m <= 35_000 && p <= 12 {
        Choice::segmented("binary_tree", 8 << 10)
    } else if m <= 35_000 {
        Choice::segmented("split_binary_tree", 1024)
    } else if ranks > 0.0150 * kilobytes + 11.2445 {
        Choice::segmented("split_binary_tree", 8 << 10)
    } else if ranks > 0.0023 * kilobytes + 3.8074 {
        Choice::segmented("pipeline", 8 << 10)
    } else {
        Choice::segmented("pipeline", 64 << 10)
    }
}

fn reduce(call: &Call, medium: &'static str) -> Choice {
    if !call.commutative || (call.comm_size < 8 && call.buffer() < 512) {
        Choice::new("linear")
    } else {
        released::reduce_in_trees(call, medium)
    }
}
