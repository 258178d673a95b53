//! Recursive doubling: in every round, pairs exchange everything they have.

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
    Build::Local(allreduce),
)
.in_rank_order()
.alike(Symmetry::exchanges);

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
    for bit in 0..folded.nodes.trailing_zeros() {
        let partner = node ^ 1 << bit;
        let peer = folded.rank(partner);
        let slot = slots.next(request.bytes(), ops);
        ops.send(peer, partial.parts(message))?;
        ops.receive(peer, slot)?;
        partial.absorb(message, slot, if partner < node { Side::Left } else { Side::Right }, ops)?;
    }
    folded.leave(vec![result], ops)
}
