//! A reduce-scatter by recursive halving, then an allgather by recursive doubling.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Folded;
use crate::partial::{Partial, Slots};
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// Rabenseifner's allreduce ("Optimization of Collective Reduction Operations", ICCS 2004). If the number of ranks is not a power
/// of two, as many neighbours as needed combine first.
pub(crate) static RABENSEIFNER: Entry = Entry::new(
    Collective::Allreduce,
    "rabenseifner",
    "a reduce-scatter by recursive halving and an allgather by recursive doubling",
    Build::Local(allreduce),
)
.alike(|request| Symmetry::exchanges(request)?.of_equal_blocks(request));

fn allreduce(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let message = request.message();
    let result = message.within_buffer(Buffer::Receive);
    if request.comm_size() == 1 {
        return ops.copy(message.within_buffer(Buffer::Send), result);
    }
    let mut partial = Partial::new(result);
    let mut slots = Slots::new(request.bytes());
    let folded = Folded::new(request.comm_size(), rank);
    let Some(node) = folded.enter(message, &mut partial, &mut slots, ops)? else {
        return folded.await_result(vec![result], ops);
    };
    let block = |from, to| request.blocks(from, to, folded.nodes);
    folded.halve(node, block, &mut partial, &mut slots, ops)?;
    folded
        .group(node)
        .allgather_doubling(|from, to| vec![block(from, to).within_buffer(Buffer::Receive)], ops)?;
    folded.leave(vec![result], ops)
}
