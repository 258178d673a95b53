//! Blocks of the message are scattered, then every rank collects all of them.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, TooLarge};

/// Van de Geijn's broadcast with an allgather by recursive doubling (Barnett et al. 1994; Thakur and Gropp, EuroPVM/MPI
/// 2003).
pub(crate) static SCATTER_ALLGATHER: Entry = Entry::new(
    Collective::Bcast,
    "scatter_allgather",
    "a binomial scatter and an allgather by recursive doubling",
    Build::Local(broadcast),
);

fn broadcast(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::from_root(request, rank);
    let block = |from, to| vec![request.blocks(from, to, group.size).within_buffer(Buffer::Data)];
    group.scatter_binomial(block, ops)?;
    group.allgather_doubling(block, ops)
}
