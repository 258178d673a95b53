//! Broadcasts.

mod split_binary;
mod trees;
mod two_trees;

pub(super) use trees::{BINARY, BINE, BINOMIAL, CHAIN, KNOMIAL, PIPELINE};
pub(super) use two_trees::{MULTIRAIL, TWO_TREE};

use super::algorithm::{Build, Entry};
use super::circulant::{Circulant, Transfer};
use super::group::Group;
use super::{Buffer, Builder, Collective, Part, Request, Span, TooLarge};

pub(super) static ALL: &[&Entry] = &[
    &trees::LINEAR,
    &CHAIN,
    &PIPELINE,
    &BINARY,
    &split_binary::SPLIT_BINARY,
    &BINOMIAL,
    &KNOMIAL,
    &trees::DARY,
    &SCATTER_ALLGATHER,
    &SCATTER_ALLGATHER_RING,
    &MULTIRAIL,
    &TWO_TREE,
    &CIRCULANT,
    &BINE,
];

/// Van de Geijn's broadcast with an allgather by recursive doubling (Barnett et al. 1994; Thakur and Gropp, EuroPVM/MPI
/// 2003).
static SCATTER_ALLGATHER: Entry = Entry::new(
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
static SCATTER_ALLGATHER_RING: Entry = Entry::new(
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

/// Träff's broadcast of n segments in n − 1 + ⌈log2 p⌉ rounds for every number of ranks ("Round-optimal n-Block Broadcast
/// Schedules in Logarithmic Time", arXiv 2312.11236). A rank computes its part in O(log² p + n), independently of other ranks.
pub(super) static CIRCULANT: Entry = Entry::new(
    Collective::Bcast,
    "circulant",
    "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum",
    Build::Local(circulant),
)
.in_segments();

fn circulant(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let segments: Vec<Span> = request.segments(request.message()).collect();
    let graph = Circulant::new(request.comm_size());
    for round in graph.broadcast(request.from_root(rank), segments.len() as u64) {
        if let Some(Transfer { peer, segment }) = round.send {
            ops.send(request.to_rank(peer), segments[segment as usize].within_buffer(Buffer::Data))?;
        }
        if let Some(Transfer { peer, segment }) = round.receive {
            ops.receive(request.to_rank(peer), segments[segment as usize].within_buffer(Buffer::Data))?;
        }
    }
    Ok(())
}
