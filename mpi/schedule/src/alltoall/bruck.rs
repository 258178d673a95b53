//! Bruck's algorithm: blocks travel by the bits of their distance.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Builder, Part, Request, Symmetry, TooLarge};

/// Bruck's all-to-all (Bruck et al., TPDS 8, 1997): ⌈log2 p⌉ rounds. A block for the rank at distance d travels 2^k ranks
/// in round k if bit k of d is set. It is received at its final place in its last round, so no rotation is needed.
pub(crate) static BRUCK: Entry = Entry::new(
    Collective::Alltoall,
    "bruck",
    "blocks travel by the bits of their distance, many in one message",
    Build::Local(alltoall),
)
.alike(|_| Some(Symmetry::TURNS));

fn alltoall(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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
    let place = |distance: u32, (turn, bytes): (u32, u64)| {
        let places = on_the_way[distance as usize];
        places.slice(u64::from(turn % 2) * (places.bytes / 2), bytes)
    };
    let mut bit = 1;
    while bit < group.size {
        let moved = || (1..group.size).filter(|distance| distance & bit != 0);
        // The number of previous moves of a block is the number of lower bits that are set.
        let hops = |distance: u32| (distance & (bit - 1)).count_ones();
        let from = |distance: u32| match hops(distance) {
            0 => request.sent(rank, group.ahead(distance)),
            hops => place(distance, (hops, passing(distance, distance & (bit - 1)))),
        };
        let into = |distance: u32| {
            let is_last = distance < 2 * bit;
            if is_last {
                request.received(rank, group.behind(distance))
            } else {
                place(distance, (hops(distance) + 1, passing(distance, distance & (2 * bit - 1))))
            }
        };
        ops.send(group.ahead(bit), moved().map(from).collect::<Vec<Part>>())?;
        ops.receive(group.behind(bit), moved().map(into).collect::<Vec<Part>>())?;
        bit *= 2;
    }
    Ok(())
}
