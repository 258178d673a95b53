//! The default rules of MPICH 4.0 for one communicator: `generic.json` of release 4.0.2.
//!
//! Rules for the communicator hierarchy of a node or of the world are omitted: the file guards them by
//! conditions that no message meets (`avg_msg_size<=0`).

use crate::catalogue::Library;

use super::call::power_of_two_not_above;
use super::{Call, Choice, RuleSet};

pub(super) const RULES: RuleSet = RuleSet {
    name: "mpich-4.0",
    library: Library::Mpich,
    rules: &[
        ("allgather", allgather),
        ("allgatherv", allgather),
        ("allreduce", allreduce),
        ("alltoall", alltoall),
        ("barrier", |_| Choice::new("dissemination")),
        ("bcast", bcast),
        ("gather", |_| Choice::new("binomial")),
        ("reduce", reduce),
        ("reduce_scatter", reduce_scatter),
        ("reduce_scatter_block", reduce_scatter),
        ("scatter", |_| Choice::new("binomial")),
    ],
    substitute: |_, choice, _| choice,
};

fn bcast(call: &Call) -> Choice {
    Choice::new(match (call.comm_size, call.buffer()) {
        (..8, _) | (_, ..=12_288) => "binomial",
        (_, ..=524_288) if call.is_power_of_two() => "scatter_recursive_doubling_allgather",
        _ => "scatter_ring_allgather",
    })
}

/// Returns whether there are fewer elements than the greatest power of two of ranks.
fn is_scarce(call: &Call) -> bool {
    call.count(call.buffer()) < power_of_two_not_above(call.comm_size)
}

fn reduce(call: &Call) -> Choice {
    let short = call.buffer() <= 2048 || is_scarce(call);
    Choice::new(if short { "binomial" } else { "reduce_scatter_gather" })
}

fn allreduce(call: &Call) -> Choice {
    let short = call.buffer() <= 8 || is_scarce(call);
    Choice::new(if short { "recursive_doubling" } else { "reduce_scatter_allgather" })
}

/// Chooses an all-to-all. The file says `comm_size<8` under a condition on the buffer, but `csel.c` reads it as
/// `comm_size<=8` there, and so does this function.
fn alltoall(call: &Call) -> Choice {
    Choice::new(match (call.comm_size, call.block()) {
        (9.., ..=256) => "brucks",
        (_, ..=32_768) => "scattered",
        _ => "pairwise",
    })
}

fn allgather(call: &Call) -> Choice {
    Choice::new(match call.total() {
        ..524_288 if call.is_power_of_two() => "recursive_doubling",
        ..81_920 if !call.is_power_of_two() => "brucks",
        _ => "ring",
    })
}

fn reduce_scatter(call: &Call) -> Choice {
    Choice::new(match call.total() {
        _ if !call.commutative && call.is_power_of_two() => "noncommutative",
        _ if !call.commutative => "recursive_doubling",
        ..524_288 => "recursive_halving",
        _ => "pairwise",
    })
}
