//! Round-optimal broadcast on a circulant graph.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::circulant::{Circulant, Transfer};
use crate::{Buffer, Builder, Request, Span, TooLarge};

/// Träff's broadcast of n segments in n − 1 + ⌈log2 p⌉ rounds for every number of ranks ("Round-optimal n-Block Broadcast
/// Schedules in Logarithmic Time", arXiv 2312.11236). A rank computes its part in O(log² p + n), independently of other ranks.
pub(crate) static CIRCULANT: Entry = Entry::new(
    Collective::Bcast,
    "circulant",
    "n segments in n − 1 + ⌈log2 p⌉ rounds, the minimum",
    Build::Local(broadcast),
)
.in_segments();

fn broadcast(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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
