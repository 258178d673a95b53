//! Reduce-scatters: reductions of which every rank receives a block.

use super::algorithm::{Build, Entry};
use super::group::{Folded, Group};
use super::partial::{Partial, Slots};
use super::{Buffer, Builder, Request, Symmetry, TooLarge};
use crate::Collective;

pub(super) static ALL: &[&Entry] = &[&RECURSIVE_HALVING, &PAIRWISE, &RING];

/// Recursive halving as in MPICH. If the number of ranks is not a power of two, as many neighbours as needed combine first, and
/// the second of a pair finally sends the first one its block.
static RECURSIVE_HALVING: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "recursive_halving",
    "pairs exchange half of what they have, at half the distance in every round",
    Build::Local(recursive_halving),
)
.alike(Symmetry::exchanges);

fn recursive_halving(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    let result = request.message().within_buffer(Buffer::Receive);
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

/// The pairwise exchange of MPICH: in round d every rank sends d ranks ahead and receives from d ranks behind.
static PAIRWISE: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "pairwise",
    "every rank sends each block to its destination",
    Build::Local(pairwise),
)
.alike(|_| Some(Symmetry::TURNS));

fn pairwise(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let result = request.message().within_buffer(Buffer::Receive);
    let mut so_far = request.slot(rank).within_buffer(Buffer::Send);
    let mut slots = Slots::new(request.bytes());
    for distance in 1..group.size {
        let (ahead, behind) = (group.ahead(distance), group.behind(distance));
        let slot = slots.next(request.bytes(), ops);
        ops.send(ahead, request.slot(ahead).within_buffer(Buffer::Send))?;
        ops.receive(behind, slot)?;
        ops.reduce(&[slot, so_far], result)?;
        so_far = result;
    }
    Ok(())
}

/// The ring: a block visits every rank once and ends where it belongs.
static RING: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "ring",
    "blocks travel around a ring and are combined on the way",
    Build::Local(ring),
)
.alike(|request| request.comm_size().is_multiple_of(2).then_some(Symmetry::TURNS));

fn ring(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    // The ring leaves every rank with the block after the one it began with.
    let shifted = |index: u32| if index == 0 { group.size - 1 } else { index - 1 };
    let on_the_way = ops.scratch(2 * request.bytes());
    let into = |index: u32| match shifted(index) {
        slot if slot == rank => request.message().within_buffer(Buffer::Receive),
        slot => on_the_way.slice(u64::from(slot % 2) * request.bytes(), request.bytes()),
    };
    group.reduce_scatter_ring(|index| request.slot(shifted(index)), into, ops)
}
