//! Allgathers: every rank receives the blocks of all ranks.

use super::algorithm::{Build, Entry};
use super::group::Group;
use super::{Buffer, Builder, Part, Request, Symmetry, TooLarge};
use crate::Collective;

pub(super) static ALL: &[&Entry] = &[&RING, &RECURSIVE_DOUBLING, &BRUCK, &NEIGHBOR_EXCHANGE, &MULTIRAIL];

/// The ring: p − 1 rounds, and each rank communicates only with its neighbours.
static RING: Entry =
    Entry::new(Collective::Allgather, "ring", "blocks travel around a ring", Build::Local(ring))
        .alike(|_| Some(Symmetry::TURNS));

fn ring(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    begin(request, rank, ops)?.allgather_ring(|from, to| blocks(request, from, to), ops)
}

/// Recursive doubling. If the number of ranks is not a power of two, ranks without a partner get the blocks from the others of
/// their group afterwards.
static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Allgather,
    "recursive_doubling",
    "pairs exchange all they have, at twice the distance in every round",
    Build::Local(|request, rank, ops| {
        begin(request, rank, ops)?.allgather_doubling(|from, to| blocks(request, from, to), ops)
    }),
)
.alike(Symmetry::exchanges);

/// Bruck's allgather (Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing
/// Systems", TPDS 8, 1997): ⌈log2 p⌉ rounds for every number of ranks. Blocks are sent from and received at their final
/// places, so no final rotation is needed.
static BRUCK: Entry = Entry::new(
    Collective::Allgather,
    "bruck",
    "every rank collects the blocks behind its own, twice as many in every round",
    Build::Local(bruck),
)
.alike(|_| Some(Symmetry::TURNS));

fn bruck(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = begin(request, rank, ops)?;
    let block = |from, to| blocks(request, from, to);
    let mut known = 1;
    while known < group.size {
        let more = known.min(group.size - known);
        let ahead = group.ahead(known);
        ops.send(group.rank(group.behind(known)), group.around(group.me, more, block))?;
        ops.receive(group.rank(ahead), group.around(ahead, more, block))?;
        known += more;
    }
    Ok(())
}

/// The neighbour exchange of Chen et al. ("Performance evaluation of allgather algorithms on terascale Linux cluster with
/// fast Ethernet", HPC Asia 2005): p/2 rounds for an even number of ranks. An odd number is served by the ring, as in
/// Open MPI.
static NEIGHBOR_EXCHANGE: Entry = Entry::new(
    Collective::Allgather,
    "neighbor_exchange",
    "neighbours exchange pairs of blocks, alternating between left and right",
    Build::Local(neighbor_exchange),
)
.alike(|request| {
    let neighbors = if request.comm_size().is_multiple_of(2) { 2 } else { 1 };
    Some(Symmetry::TURNS.of_blocks(neighbors))
});

fn neighbor_exchange(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    if comm_size % 2 == 1 {
        return ring(request, rank, ops);
    }
    let group = begin(request, rank, ops)?;
    let is_even = rank.is_multiple_of(2);
    let neighbors =
        if is_even { [group.ahead(1), group.behind(1)] } else { [group.behind(1), group.ahead(1)] };
    ops.send(neighbors[0], blocks(request, rank, rank + 1))?;
    ops.receive(neighbors[0], blocks(request, neighbors[0], neighbors[0] + 1))?;
    // Pairs of blocks are identified by their first block, which is even.
    let pair = rank - rank % 2;
    let mut newest = pair;
    let mut received = [pair; 2];
    for round in 1..comm_size / 2 {
        let side = round as usize % 2;
        // What lies ahead of even ranks on the one side lies behind odd ones.
        let is_ahead = is_even == (side == 0);
        received[side] = (received[side] + if is_ahead { 2 } else { comm_size - 2 }) % comm_size;
        ops.send(neighbors[side], blocks(request, newest, newest + 2))?;
        ops.receive(neighbors[side], blocks(request, received[side], received[side] + 2))?;
        newest = received[side];
    }
    Ok(())
}

/// Two rings in opposite directions: the first halves travel to the next rank on one rail, the second halves to the previous one on the other. Every rank sends and
/// receives `(p − 1)/2` blocks on each rail, the least that two ports allow.
pub(super) static MULTIRAIL: Entry = Entry::new(
    Collective::Allgather,
    "multirail",
    "two rings in opposite directions, each for one half of the blocks on one of two rails",
    Build::Local(multirail),
)
.alike(|_| Some(Symmetry::TURNS));

fn multirail(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = begin(request, rank, ops)?;
    let half = |rail: u32, block: u32| {
        let span = request.block_of(request.slot(block), rail, 2);
        (span.bytes > 0).then(|| span.within_buffer(Buffer::Receive))
    };
    for step in 0..group.size - 1 {
        let (next, previous) = (group.ahead(1), group.behind(1));
        let forward = [(0, next, group.behind(step)), (1, previous, group.ahead(step))];
        let arriving = [(0, previous, group.behind(step + 1)), (1, next, group.ahead(step + 1))];
        for (rail, peer, block) in forward {
            half(rail, block).map_or(Ok(()), |part| ops.send_on(rail, peer, part))?;
        }
        for (rail, peer, block) in arriving {
            half(rail, block).map_or(Ok(()), |part| ops.receive_on(rail, peer, part))?;
        }
    }
    Ok(())
}

/// Puts a rank's own block into its place, and returns all ranks.
fn begin(request: &Request, rank: u32, ops: &mut Builder) -> Result<Group<'static>, TooLarge> {
    ops.copy(
        request.own(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    Ok(Group::all(request, rank))
}

fn blocks(request: &Request, from: u32, to: u32) -> Vec<Part> {
    vec![request.slots(from, to).within_buffer(Buffer::Receive)]
}
