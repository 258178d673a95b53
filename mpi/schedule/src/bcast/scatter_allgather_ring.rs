//! Blocks of the message are scattered, then every rank collects all of them.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, TooLarge};

/// Van de Geijn's broadcast with a ring allgather.
pub(crate) static SCATTER_ALLGATHER_RING: Entry = Entry::new(
    Collective::Bcast,
    "scatter_allgather_ring",
    "a binomial scatter and a ring allgather",
    Build::Local(broadcast),
);

fn broadcast(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::from_root(request, rank);
    let block = |from, to| vec![request.blocks(from, to, group.size).within_buffer(Buffer::Data)];
    group.scatter_binomial(block, ops)?;
    group.allgather_ring(block, ops)
}
