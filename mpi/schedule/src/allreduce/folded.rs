//! Allreduces among as many ranks as are a power of two, of which some stand for a neighbour too.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Folded;
use crate::partial::{Partial, Side, Slots};
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// Recursive doubling as in MPICH. If the number of ranks is not a power of two, as many neighbours as needed combine first.
/// Every rank holds the combined inputs of consecutive ranks, so rank order is kept.
pub(crate) static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Allreduce,
    "recursive_doubling",
    "pairs exchange all they have, at twice the distance in every round",
    Build::Local(|request, rank, ops| {
        among_nodes(request, rank, ops, |folded, node, partial, slots, ops| {
            for bit in 0..folded.nodes.trailing_zeros() {
                let partner = node ^ 1 << bit;
                let peer = folded.rank(partner);
                let slot = slots.next(request.bytes(), ops);
                ops.send(peer, partial.parts(request.message()))?;
                ops.receive(peer, slot)?;
                let side = if partner < node { Side::Left } else { Side::Right };
                partial.absorb(request.message(), slot, side, ops)?;
            }
            Ok(())
        })
    }),
)
.in_rank_order()
.alike(Symmetry::exchanges);

/// Rabenseifner's allreduce ("Optimization of Collective Reduction Operations", ICCS 2004). If the number of ranks is not a power
/// of two, as many neighbours as needed combine first.
pub(crate) static RABENSEIFNER: Entry = Entry::new(
    Collective::Allreduce,
    "rabenseifner",
    "a reduce-scatter by recursive halving and an allgather by recursive doubling",
    Build::Local(|request, rank, ops| {
        among_nodes(request, rank, ops, |folded, node, partial, slots, ops| {
            let block = |from, to| request.blocks(from, to, folded.nodes);
            folded.halve(node, block, partial, slots, ops)?;
            let group = folded.group(node);
            group.allgather_doubling(|from, to| vec![block(from, to).within_buffer(Buffer::Receive)], ops)
        })
    }),
)
.alike(|request| Symmetry::exchanges(request)?.of_equal_blocks(request));

/// Combines the inputs of pairs, then those of the nodes by `exchange`, and sends the result to the first of each pair.
fn among_nodes(
    request: &Request,
    rank: u32,
    ops: &mut Builder,
    exchange: impl FnOnce(&Folded, u32, &mut Partial, &mut Slots, &mut Builder) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let message = request.message();
    let result = message.within_buffer(Buffer::Receive);
    let (mut partial, mut slots) = (Partial::new(result), Slots::new(request.bytes()));
    let folded = Folded::new(request.comm_size(), rank);
    let Some(node) = folded.enter(message, &mut partial, &mut slots, ops)? else {
        return folded.await_result(vec![result], ops);
    };
    exchange(&folded, node, &mut partial, &mut slots, ops)?;
    folded.leave(vec![result], ops)
}
