//! The rules of Open MPI 1.3 to 4.0: those of 1.2 with more collectives, unchanged for about eleven years.
//!
//! `coll_tuned_decision_fixed.c` of 1.3.0 to 4.0.7. In 1.5.5 one line of reduce was corrected, and in 1.8 alltoallv went from
//! linear to pairwise; two sets are distinguished here.

use crate::catalogue::Library;

use super::open_mpi_1_2 as before;
use super::{Call, Choice, RuleSet};

pub(super) const RULES_1_3: RuleSet = RuleSet {
    name: "open-mpi-1.3",
    library: Library::OpenMpi,
    rules: &[
        ("allgather", before::allgather),
        ("allgatherv", allgatherv),
        ("allreduce", allreduce),
        ("alltoall", before::alltoall),
        ("alltoallv", |_| Choice::new("basic_linear")),
        ("barrier", before::barrier),
        ("bcast", bcast),
        ("gather", gather),
        ("reduce", |call| reduce(call, "pipeline")),
        ("reduce_scatter", reduce_scatter),
        ("scatter", scatter),
    ],
    substitute: |_, choice, _| choice,
};

pub(super) const RULES_1_5: RuleSet = RuleSet {
    name: "open-mpi-1.8",
    library: Library::OpenMpi,
    rules: &[
        ("allgather", before::allgather),
        ("allgatherv", allgatherv),
        ("allreduce", allreduce),
        ("alltoall", before::alltoall),
        ("alltoallv", |_| Choice::new("pairwise")),
        ("barrier", before::barrier),
        ("bcast", bcast),
        ("gather", gather),
        ("reduce", |call| reduce(call, "binary")),
        ("reduce_scatter", reduce_scatter),
        ("reduce_scatter_block", |_| Choice::new("basic_linear")),
        ("scatter", scatter),
    ],
    substitute: |_, choice, _| choice,
};

fn bcast(call: &Call) -> Choice {
    if call.count(call.buffer()) <= 1 { Choice::new("binomial") } else { before::bcast(call) }
}

/// Chooses a reduction; `medium` runs in segments of 32 KB above the third line.
fn reduce(call: &Call, medium: &'static str) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    if !call.commutative {
        Choice::new(if p < 12 && m < 2048 { "linear" } else { "in-order_binary" })
    } else if p < 8 && m < 512 {
        Choice::new("linear")
    } else if (p < 8 && m < 20_480) || m < 2048 || call.count(m) <= 1 {
        Choice::new("binomial")
    } else {
        before::reduce_in_segments(call, "binomial", medium)
    }
}

fn allreduce(call: &Call) -> Choice {
    let (p, m) = (call.comm_size, call.buffer());
    if m < 10_000 {
        Choice::new("recursive_doubling")
    } else if !call.commutative || call.count(m) <= p {
        Choice::new("nonoverlapping")
    } else if m <= p.saturating_mul(1 << 20) {
        Choice::new("ring")
    } else {
        Choice::segmented("segmented_ring", 1 << 20)
    }
}

fn reduce_scatter(call: &Call) -> Choice {
    let (p, total) = (call.comm_size, call.total());
    if !call.commutative {
        Choice::new("non-overlapping")
    } else if total <= 12 << 10
        || (total <= 256 << 10 && call.is_power_of_two())
        || p as f64 >= 0.0012 * total as f64 + 8.0
    {
        Choice::new("recursive_halving")
    } else {
        Choice::new("ring")
    }
}

fn allgatherv(call: &Call) -> Choice {
    let p = call.comm_size;
    Choice::new(match call.total() {
        _ if p == 2 => "two_proc",
        ..50_000 => "bruck",
        _ if p % 2 == 1 => "ring",
        _ => "neighbor",
    })
}

fn gather(call: &Call) -> Choice {
    match (call.comm_size, call.block()) {
        (_, 92_161..) => Choice::segmented("linear_sync", 32 << 10),
        (_, 6001..) => Choice::segmented("linear_sync", 1024),
        (61.., _) | (11.., ..1024) => Choice::new("binomial"),
        _ => Choice::new("basic_linear"),
    }
}

fn scatter(call: &Call) -> Choice {
    Choice::new(if call.comm_size > 10 && call.block() < 300 { "binomial" } else { "basic_linear" })
}
