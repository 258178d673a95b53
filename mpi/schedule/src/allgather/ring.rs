//! A ring around which the blocks travel.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The ring: p − 1 rounds, and each rank communicates only with its neighbours.
pub(crate) static RING: Entry =
    Entry::new(Collective::Allgather, "ring", "blocks travel around a ring", Build::Local(allgather))
        .alike(|_| Some(Symmetry::TURNS));

pub(super) fn allgather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(
        request.own(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    group.allgather_ring(|from, to| vec![request.slots(from, to).within_buffer(Buffer::Receive)], ops)
}
