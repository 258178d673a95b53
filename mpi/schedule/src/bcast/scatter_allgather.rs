//! Blocks of the message are scattered, then every rank collects all of them.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Part, Request};

/// Van de Geijn's broadcast with an allgather by recursive doubling (Barnett et al. 1994; Thakur and Gropp, EuroPVM/MPI
/// 2003).
pub(crate) static SCATTER_ALLGATHER: Entry = Entry::new(
    Collective::Bcast,
    "scatter_allgather",
    "a binomial scatter and an allgather by recursive doubling",
    Build::Local(|request, rank, ops| {
        let (group, block) = blocks(request, rank);
        group.scatter_binomial(&block, ops)?;
        group.allgather_doubling(block, ops)
    }),
);

/// Van de Geijn's broadcast with a ring allgather.
pub(crate) static SCATTER_ALLGATHER_RING: Entry = Entry::new(
    Collective::Bcast,
    "scatter_allgather_ring",
    "a binomial scatter and a ring allgather",
    Build::Local(|request, rank, ops| {
        let (group, block) = blocks(request, rank);
        group.scatter_binomial(&block, ops)?;
        group.allgather_ring(block, ops)
    }),
);

/// Returns the ranks from the root on, and the places of their blocks.
fn blocks(request: &Request, rank: u32) -> (Group<'_>, impl Fn(u32, u32) -> Vec<Part>) {
    let group = Group::from_root(request, rank);
    let size = group.size;
    (group, move |from, to| vec![request.blocks(from, to, size).within_buffer(Buffer::Data)])
}
