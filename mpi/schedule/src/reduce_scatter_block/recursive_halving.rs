//! Recursive halving: in every round, pairs exchange half of what they have.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Folded;
use crate::partial::{Partial, Slots};
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// Recursive halving as in MPICH. If the number of ranks is not a power of two, as many neighbours as needed combine first, and
/// the second of a pair finally sends the first one its block.
pub(crate) static RECURSIVE_HALVING: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "recursive_halving",
    "pairs exchange half of what they have, at half the distance in every round",
    Build::Local(reduce_scatter),
)
.alike(Symmetry::exchanges);

fn reduce_scatter(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    let result = request.message().within_buffer(Buffer::Receive);
    if comm_size == 1 {
        return ops.copy(request.message().within_buffer(Buffer::Send), result);
    }
    let whole = request.slots(0, comm_size);
    let combined = ops.scratch(whole.bytes);
    let mut partial = Partial::new(combined);
    let mut slots = Slots::new(whole.bytes);
    let folded = Folded::new(comm_size, rank);
    let Some(node) = folded.enter(whole, &mut partial, &mut slots, ops)? else {
        return folded.await_result(vec![result], ops);
    };
    let block = |from, to| request.slots(folded.first_rank(from), folded.first_rank(to));
    folded.halve(node, block, &mut partial, &mut slots, ops)?;
    ops.copy(request.slot(rank).within(combined), result)?;
    match folded.partner() {
        Some(partner) => ops.send(partner, request.slot(partner).within(combined)),
        None => Ok(()),
    }
}
