//! Blocks are combined by different ranks, then gathered.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::circulant::Circulant;
use crate::group::Group;
use crate::partial::Partial;
use crate::{Buffer, Builder, Request, TooLarge};

/// Rabenseifner's reduction ("Optimization of Collective Reduction Operations", ICCS 2004): a reduce-scatter and a binomial
/// gather. The reduce-scatter is the one on a circulant graph, which serves every number of ranks.
pub(crate) static SCATTER_GATHER: Entry = Entry::new(
    Collective::Reduce,
    "scatter_gather",
    "a reduce-scatter of blocks and a binomial gather",
    Build::Local(reduce),
);

fn reduce(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::from_root(request, rank);
    let whole = match group.me {
        0 => request.message().within_buffer(Buffer::Receive),
        _ => ops.scratch(request.bytes()),
    };
    let block = |from, to| request.blocks(from, to, group.size);
    let mut partial = Partial::new(whole);
    Circulant::new(group.size).reduce_scatter(&group, block, &mut partial, ops)?;
    group.gather_binomial(|from, to| vec![block(from, to).within(whole)], ops)
}
