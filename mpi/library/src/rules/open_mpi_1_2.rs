//! The rules of Open MPI 1.2, by the authors of the quadtree papers, from measurements on Myrinet (the Grig cluster).
//!
//! `coll_tuned_decision_fixed.c`, commit eae3df4904 (January 2007), released in 1.2.0 to 1.2.9. Some borders are
//! sloped lines in communicator and message size, so no tree of tests on single axes can reproduce them.

use crate::catalogue::Library;

use super::{Call, Choice, RuleSet};

pub(super) const RULES: RuleSet = RuleSet {
    name: "open-mpi-1.2",
    library: Library::OpenMpi,
    rules: &[
        ("allgather", allgather),
        ("allreduce", allreduce),
        ("alltoall", alltoall),
        ("barrier", barrier),
        ("bcast", bcast),
        ("reduce", reduce),
    ],
    substitute: |_, choice, _| choice,
};

/// Returns whether the communicator is smaller than slope · bytes + offset.
fn is_below(call: &Call, slope: f64, offset: f64) -> bool {
    (call.comm_size as f64) < slope * call.buffer() as f64 + offset
}

/// Returns whether the communicator is larger than slope · kilobytes + offset, the form of the reduce rules.
fn is_above_per_kilobyte(call: &Call, slope: f64, offset: f64) -> bool {
    call.comm_size as f64 > slope / 1024.0 * call.buffer() as f64 + offset
}

pub(super) fn bcast(call: &Call) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    if m < 2048 {
        Choice::new("binomial")
    } else if m < 370_728 {
        Choice::segmented("split_binary_tree", 1024)
    } else if is_below(call, 1.6134e-6, 2.1102) {
        Choice::segmented("pipeline", 128 << 10)
    } else if p < 13 {
        Choice::segmented("split_binary_tree", 8 << 10)
    } else if is_below(call, 2.3679e-6, 1.1787) {
        Choice::segmented("pipeline", 64 << 10)
    } else if is_below(call, 3.2118e-6, 8.7936) {
        Choice::segmented("pipeline", 16 << 10)
    } else {
        Choice::segmented("pipeline", 8 << 10)
    }
}

/// Chooses a reduction. A comment in the source says that the seventh algorithm is a binary tree, but the code calls
/// the pipeline, and so does this function.
pub(super) fn reduce(call: &Call) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    if !call.commutative || (p < 20 && m < 512) || (p < 10 && m <= 1024) {
        Choice::new("linear")
    } else {
        reduce_in_trees(call, "pipeline")
    }
}

/// Chooses a reduction that is not linear; `medium` runs in segments of 32 KB above the third line.
pub(super) fn reduce_in_trees(call: &Call, medium: &'static str) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    if p < 8 && m < 20_480 {
        Choice::new("binomial")
    } else if m < 2048 {
        Choice::new("binary")
    } else {
        reduce_in_segments(call, "binary", medium)
    }
}

/// Chooses a reduction in segments: `short` for messages of few kilobytes a rank, and `medium` in segments of 32 KB above the third line.
pub(super) fn reduce_in_segments(call: &Call, short: &'static str, medium: &'static str) -> Choice {
    if is_above_per_kilobyte(call, 0.6016, 1.3496) {
        Choice::segmented(short, 1024)
    } else if is_above_per_kilobyte(call, 0.0410, 9.7128) {
        Choice::segmented("pipeline", 1024)
    } else if is_above_per_kilobyte(call, 0.0422, 1.1614) {
        Choice::segmented(medium, 32 << 10)
    } else if is_above_per_kilobyte(call, 0.0033, 1.6761) {
        Choice::segmented("pipeline", 32 << 10)
    } else {
        Choice::segmented("pipeline", 64 << 10)
    }
}

fn allreduce(call: &Call) -> Choice {
    match call.buffer() {
        ..10_000 => Choice::new("recursive_doubling"),
        _ if call.commutative => Choice::new("ring"),
        _ => Choice::new("nonoverlapping"),
    }
}

pub(super) fn alltoall(call: &Call) -> Choice {
    match (call.comm_size, call.block()) {
        (2, _) => Choice::new("two_proc"),
        (13.., ..200) => Choice::new("modified_bruck"),
        (_, ..3000) => Choice::new("linear"),
        _ => Choice::new("pairwise"),
    }
}

pub(super) fn barrier(call: &Call) -> Choice {
    Choice::new(match call.comm_size {
        2 => "two_proc",
        _ if call.is_power_of_two() => "recursive_doubling",
        _ => "bruck",
    })
}

pub(super) fn allgather(call: &Call) -> Choice {
    let p = call.comm_size;
    Choice::new(match call.total() {
        _ if p == 2 => "two_proc",
        ..50_000 if call.is_power_of_two() => "recursive_doubling",
        ..50_000 => "bruck",
        _ if p % 2 == 1 => "ring",
        _ => "neighbor",
    })
}
