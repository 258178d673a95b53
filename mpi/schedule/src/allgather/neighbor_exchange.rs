//! Neighbour exchange: pairs of neighbours exchange pairs of blocks, alternating between the left and the right.

use super::ring;
use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The neighbour exchange of Chen et al. ("Performance evaluation of allgather algorithms on terascale Linux cluster with
/// fast Ethernet", HPC Asia 2005): p/2 rounds for an even number of ranks. An odd number is served by the ring, as in
/// Open MPI.
pub(crate) static NEIGHBOR_EXCHANGE: Entry = Entry::new(
    Collective::Allgather,
    "neighbor_exchange",
    "neighbours exchange pairs of blocks, alternating between left and right",
    Build::Local(allgather),
)
.alike(|request| {
    let neighbors = if request.comm_size().is_multiple_of(2) { 2 } else { 1 };
    Some(Symmetry::TURNS.of_blocks(neighbors))
});

fn allgather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    if comm_size % 2 == 1 {
        return ring::allgather(request, rank, ops);
    }
    let group = Group::all(request, rank);
    let slots = |from, to| request.slots(from, to).within_buffer(Buffer::Receive);
    let is_even = rank.is_multiple_of(2);
    let neighbors =
        if is_even { [group.ahead(1), group.behind(1)] } else { [group.behind(1), group.ahead(1)] };
    ops.copy(
        request.own(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    ops.send(neighbors[0], slots(rank, rank + 1))?;
    ops.receive(neighbors[0], slots(neighbors[0], neighbors[0] + 1))?;
    // Pairs of blocks are identified by their first block, which is even.
    let pair = rank - rank % 2;
    let mut newest = pair;
    let mut received = [pair; 2];
    for round in 1..comm_size / 2 {
        let side = round as usize % 2;
        // What lies ahead of even ranks on the one side lies behind odd ones.
        let is_ahead = is_even == (side == 0);
        received[side] = (received[side] + if is_ahead { 2 } else { comm_size - 2 }) % comm_size;
        ops.send(neighbors[side], slots(newest, newest + 2))?;
        ops.receive(neighbors[side], slots(received[side], received[side] + 2))?;
        newest = received[side];
    }
    Ok(())
}
