//! All-to-alls: every rank has a separate block for each rank.

use super::algorithm::{Build, Entry};
use super::group::Group;
use super::{Builder, Part, Request, Symmetry, TooLarge};
use crate::Collective;

pub(super) static ALL: &[&Entry] = &[&LINEAR, &ROTATED, &PAIRWISE, &BRUCK];

/// Every rank serves rank 0, rank 1 and so on, so all of them queue at the same rank.
static LINEAR: Entry =
    Entry::new(Collective::Alltoall, "linear", "all messages at once, in rank order", Build::Local(linear));

fn linear(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for peer in (0..request.comm_size()).filter(|&peer| peer != rank) {
        ops.receive(peer, request.received(rank, peer))?;
        ops.send(peer, request.sent(rank, peer))?;
    }
    Ok(())
}

/// Every rank serves the next one, the one after that and so on: no two ranks send to the same one in a round.
static ROTATED: Entry = Entry::new(
    Collective::Alltoall,
    "rotated",
    "all messages at once, every rank beginning with the next one",
    Build::Local(rotated),
)
.alike(|_| Some(Symmetry::TURNS));

fn rotated(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for distance in 1..group.size {
        let (ahead, behind) = (group.ahead(distance), group.behind(distance));
        ops.receive(behind, request.received(rank, behind))?;
        ops.send(ahead, request.sent(rank, ahead))?;
    }
    Ok(())
}

/// The pairwise exchange: a rank begins a round when it has finished the previous one. If the number of ranks is a power of two,
/// it exchanges with one rank in each round, as in MPICH; otherwise it sends ahead and receives from behind.
static PAIRWISE: Entry =
    Entry::new(Collective::Alltoall, "pairwise", "one exchange after the other", Build::Local(pairwise))
        .alike(|request| Symmetry::exchanges(request).or(Some(Symmetry::TURNS)));

fn pairwise(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for distance in 1..group.size {
        let (to, from) = if group.size.is_power_of_two() {
            (rank ^ distance, rank ^ distance)
        } else {
            (group.ahead(distance), group.behind(distance))
        };
        let before = ops.len();
        ops.receive(from, request.received(rank, from))?;
        ops.send(to, request.sent(rank, to))?;
        ops.hold(before..ops.len());
    }
    Ok(())
}

/// Bruck's all-to-all (Bruck et al., TPDS 8, 1997): ⌈log2 p⌉ rounds. A block for the rank at distance d travels 2^k ranks
/// in round k if bit k of d is set. It is received at its final place in its last round, so no rotation is needed.
static BRUCK: Entry = Entry::new(
    Collective::Alltoall,
    "bruck",
    "blocks travel by the bits of their distance, many in one message",
    Build::Local(bruck),
)
.alike(|_| Some(Symmetry::TURNS));

fn bruck(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    if request.bytes() == 0 {
        return Ok(());
    }
    // The block that was moved by the lower bits of its distance comes from the rank so far behind.
    let passing = |distance: u32, lower: u32| {
        let source = group.behind(lower);
        request.sent(source, (source + distance) % group.size).bytes
    };
    // Two temporary places for each distance: a block leaves one while the next enters the other.
    let on_the_way: Vec<Part> = (0..group.size)
        .map(|distance| {
            let bits = (0..u32::BITS).map(|bit| 1 << bit).take_while(|&bit| bit <= distance);
            let passes = bits.map(|bit| passing(distance, distance & (bit - 1)));
            ops.scratch(2 * passes.max().unwrap_or(request.bytes()))
        })
        .collect();
    let place = |distance: u32, lower: u32| {
        let places = on_the_way[distance as usize];
        let turn = u64::from(lower.count_ones() % 2);
        places.slice(turn * (places.bytes / 2), passing(distance, lower))
    };
    let mut bit = 1;
    while bit < group.size {
        let moved = || (1..group.size).filter(|distance| distance & bit != 0);
        // A block has been moved by the lower bits of its distance that are set.
        let from = |distance: u32| match distance & (bit - 1) {
            0 => request.sent(rank, group.ahead(distance)),
            lower => place(distance, lower),
        };
        let into = |distance: u32| match distance & (2 * bit - 1) {
            all if all == distance => request.received(rank, group.behind(distance)),
            lower => place(distance, lower),
        };
        ops.send(group.ahead(bit), moved().map(from).collect::<Vec<Part>>())?;
        ops.receive(group.behind(bit), moved().map(into).collect::<Vec<Part>>())?;
        bit *= 2;
    }
    Ok(())
}
