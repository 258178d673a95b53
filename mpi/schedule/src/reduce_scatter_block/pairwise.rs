//! Pairwise exchange: every rank sends each block to its destination, one after the other.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::partial::Slots;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The pairwise exchange of MPICH: in round d every rank sends d ranks ahead and receives from d ranks behind.
pub(crate) static PAIRWISE: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "pairwise",
    "every rank sends each block to its destination",
    Build::Local(reduce_scatter),
)
.alike(|_| Some(Symmetry::TURNS));

fn reduce_scatter(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let result = request.message().within_buffer(Buffer::Receive);
    let mut so_far = request.slot(rank).within_buffer(Buffer::Send);
    if group.size == 1 {
        return ops.copy(so_far, result);
    }
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
