//! Recursive doubling: in every round, pairs exchange everything they have.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// Recursive doubling. If the number of ranks is not a power of two, ranks without a partner get the blocks from the others of
/// their group afterwards.
pub(crate) static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Allgather,
    "recursive_doubling",
    "pairs exchange all they have, at twice the distance in every round",
    Build::Local(allgather),
)
.alike(Symmetry::exchanges);

fn allgather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(
        request.own(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    group.allgather_doubling(|from, to| vec![request.slots(from, to).within_buffer(Buffer::Receive)], ops)
}
