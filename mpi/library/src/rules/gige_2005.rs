//! The rules of Open MPI 1.1, from measurements on Gigabit Ethernet by Graham Fagg, author of FT-MPI, in October 2005.
//!
//! `coll_tuned_decision_fixed.c`, commit 382f05c7ad, released in 1.1.0 to 1.1.5. Two mistakes were made before the
//! release: bcast lost a segment size to a typing error, and most of reduce was compiled out. Both forms are
//! here.

use crate::catalogue::Library;

use super::{Call, Choice, RuleSet};

/// The rules as intended.
pub(super) const INTENDED: RuleSet = RuleSet {
    name: "ft-mpi",
    library: Library::OpenMpi,
    rules: &[
        ("allreduce", allreduce),
        ("alltoall", alltoall),
        ("barrier", barrier),
        ("bcast", |call| bcast(call, Some(16 << 10))),
        ("reduce", reduce),
    ],
    substitute: |_, choice, _| choice,
};

/// The rules as released.
pub(super) const SHIPPED: RuleSet = RuleSet {
    name: "open-mpi-1.1",
    library: Library::OpenMpi,
    rules: &[
        ("allreduce", allreduce),
        ("alltoall", alltoall),
        ("barrier", barrier),
        ("bcast", |call| bcast(call, None)),
        ("reduce", |_| Choice::new("linear")),
    ],
    substitute: |_, choice, _| choice,
};

/// Chooses a broadcast; `of_four` is the segment size for long messages to four ranks.
fn bcast(call: &Call, of_four: Option<u64>) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    let long = m >= 512 << 10;
    match p {
        ..4 => Choice::new("basic_linear"),
        4 => Choice { segment_size: of_four.filter(|_| long), ..Choice::new("binary_tree") },
        5..=8 if m < 4096 => Choice::new("basic_linear"),
        _ if long => Choice::segmented("pipeline", 16 << 10),
        9.. if m >= 32 << 10 => Choice::segmented("binary_tree", 16 << 10),
        _ => Choice::new("binary_tree"),
    }
}

/// Chooses a reduction; a chain has at most 32 children.
fn reduce(call: &Call) -> Choice {
    match call.buffer() {
        ..=4096 => Choice::new("linear"),
        4097..=65_536 => Choice::segmented("chain", 32 << 10).fan_out(8),
        65_537..524_288 => Choice::segmented("chain", 1024).fan_out((call.comm_size / 2).clamp(1, 32)),
        _ => Choice::segmented("pipeline", 1024),
    }
}

fn alltoall(call: &Call) -> Choice {
    match (call.comm_size, call.total()) {
        (2, _) => Choice::new("two_proc"),
        (12.., ..=768) => Choice::new("modified_bruck"),
        (_, ..=131_072) => Choice::new("linear"),
        _ => Choice::new("pairwise"),
    }
}

fn allreduce(_: &Call) -> Choice {
    Choice::new("nonoverlapping")
}

fn barrier(call: &Call) -> Choice {
    Choice::new(if call.comm_size == 2 { "two_proc" } else { "recursive_doubling" })
}
