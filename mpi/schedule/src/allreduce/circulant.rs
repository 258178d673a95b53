//! A reduce-scatter on a circulant graph, then an allgather backwards.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::circulant::Circulant;
use crate::group::Group;
use crate::partial::Partial;
use crate::{Buffer, Builder, Request, TooLarge};

/// Träff's allreduce for every number of ranks ("Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
/// arXiv 2410.14234): 2 ⌈log2 p⌉ rounds and 2 (p − 1)/p of the message for each rank.
pub(crate) static CIRCULANT: Entry = Entry::new(
    Collective::Allreduce,
    "circulant",
    "a reduce-scatter and an allgather in ⌈log2 p⌉ rounds each",
    Build::Local(allreduce),
);

fn allreduce(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let message = request.message();
    let group = Group::all(request, rank);
    let graph = Circulant::new(group.size);
    let block = |from, to| request.blocks(from, to, group.size);
    graph.reduce_scatter(&group, block, &mut Partial::new(message.within_buffer(Buffer::Receive)), ops)?;
    graph.allgather(&group, |from, to| vec![block(from, to).within_buffer(Buffer::Receive)], ops)
}
