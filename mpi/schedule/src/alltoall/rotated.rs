//! All messages at once; every rank begins with its neighbour.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Builder, Request, Symmetry, TooLarge};

/// Every rank serves the next one, the one after that and so on: no two ranks send to the same one in a round.
pub(crate) static ROTATED: Entry = Entry::new(
    Collective::Alltoall,
    "rotated",
    "all messages at once, every rank beginning with the next one",
    Build::Local(alltoall),
)
.alike(|_| Some(Symmetry::TURNS));

fn alltoall(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for distance in 1..group.size {
        let (ahead, behind) = (group.ahead(distance), group.behind(distance));
        ops.receive(behind, request.received(rank, behind))?;
        ops.send(ahead, request.sent(rank, ahead))?;
    }
    Ok(())
}
