//! A reduction to rank 0 and a broadcast from there.

use crate::Collective;
use crate::algorithm::{Algorithm, Build, Entry, Plan};
use crate::{Buffer, Builder, Part, Request, TooLarge, Variant, bcast, mirror};

/// A binomial reduction to rank 0 and a binomial broadcast from there, segment by segment. Each subtree holds
/// consecutive ranks and the nearest child comes first, so rank order is kept.
pub(crate) static REDUCE_BCAST: Entry = Entry::new(
    Collective::Allreduce,
    "reduce_bcast",
    "a binomial reduction to rank 0 and a binomial broadcast",
    Build::Planned(plan),
)
.in_segments()
.in_rank_order();

fn plan(request: &Request) -> Plan {
    // Subtrees of Open MPI's binomial tree are not of consecutive ranks.
    let from_zero =
        request.part(request.comm_size(), 0, request.count(), request.segment_size(), Variant::default());
    let message = from_zero.message().within_buffer(Buffer::Receive);
    let up = mirror::reduce_into(&bcast::BINOMIAL, &from_zero, message);
    let down = bcast::BINOMIAL.plan(&from_zero);
    Box::new(move |rank, ops| up_and_down(&from_zero, (&up, &down), rank, ops))
}

/// Adds a reduction into the receive buffers and a broadcast of the result, both with the same root.
pub(super) fn up_and_down(
    request: &Request,
    (up, down): (&Plan, &Plan),
    rank: u32,
    ops: &mut Builder,
) -> Result<(), TooLarge> {
    let message = request.message();
    if request.comm_size() == 1 {
        return ops.copy(message.within_buffer(Buffer::Send), message.within_buffer(Buffer::Receive));
    }
    up(rank, ops)?;
    let down = ops.inner(rank, |inner| down(rank, inner))?;
    ops.embed(down, |peer| peer, |part| Part { buffer: Buffer::Receive, ..part })
}
