//! Two rings in opposite directions, each for one half of every block on one rail.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The first halves travel to the next rank on one rail, the second halves to the previous one on the other. Every rank sends and
/// receives `(p − 1)/2` blocks on each rail, the least that two ports allow.
pub(crate) static MULTIRAIL: Entry = Entry::new(
    Collective::Allgather,
    "multirail",
    "two rings in opposite directions, each for one half of the blocks on one of two rails",
    Build::Local(allgather),
)
.alike(|_| Some(Symmetry::TURNS));

fn allgather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let own = request.slot(rank).within_buffer(Buffer::Receive);
    ops.copy(request.own(rank).within_buffer(Buffer::Send), own)?;
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
