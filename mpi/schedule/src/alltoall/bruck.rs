//! Bruck's algorithm: blocks travel by the bits of their distance.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Part, Request, Symmetry, TooLarge};

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
    ops.copy(
        request.slot(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    if request.bytes() == 0 {
        return Ok(());
    }
    // Two temporary places for each distance: a block leaves one while the next enters the other.
    let on_the_way = ops.scratch(2 * request.bytes() * u64::from(group.size));
    let place = |distance: u32, turn: u32| {
        on_the_way.slice((2 * u64::from(distance) + u64::from(turn % 2)) * request.bytes(), request.bytes())
    };
    let mut bit = 1;
    while bit < group.size {
        let moved = || (1..group.size).filter(|distance| distance & bit != 0);
        // The number of previous moves of a block is the number of lower bits that are set.
        let hops = |distance: u32| (distance & (bit - 1)).count_ones();
        let from = |distance: u32| match hops(distance) {
            0 => request.slot(group.ahead(distance)).within_buffer(Buffer::Send),
            hops => place(distance, hops),
        };
        let into = |distance: u32| {
            let is_last = distance < 2 * bit;
            if is_last {
                request.slot(group.behind(distance)).within_buffer(Buffer::Receive)
            } else {
                place(distance, hops(distance) + 1)
            }
        };
        ops.send(group.ahead(bit), moved().map(from).collect::<Vec<Part>>())?;
        ops.receive(group.behind(bit), moved().map(into).collect::<Vec<Part>>())?;
        bit *= 2;
    }
    Ok(())
}
