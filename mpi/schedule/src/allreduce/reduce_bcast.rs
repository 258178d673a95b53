//! A reduction to one rank and a broadcast of the result from there.

use crate::Collective;
use crate::algorithm::{Algorithm, Build, Entry, Parameter, Plan};
use crate::{Buffer, Part, Request, Variant, bcast, mirror};

/// A binomial reduction to rank 0 and a binomial broadcast from there, segment by segment. Each subtree holds
/// consecutive ranks and the nearest child comes first, so rank order is kept.
pub(crate) static REDUCE_BCAST: Entry = Entry::new(
    Collective::Allreduce,
    "reduce_bcast",
    "a binomial reduction to rank 0 and a binomial broadcast",
    Build::Planned(|request| {
        // Subtrees of Open MPI's binomial tree are not of consecutive ranks.
        let (count, segment_size) = (request.count(), request.segment_size());
        let from_zero = request.part(request.comm_size(), 0, count, segment_size, Variant::default());
        up_and_down(&bcast::BINOMIAL, &from_zero)
    }),
)
.in_segments()
.in_rank_order();

/// The multirail reduction and the multirail broadcast of the result: segments go up two heaps and down again, each half of the message on
/// one of two rails. Both directions of a rail are used at the same time.
pub(crate) static MULTIRAIL: Entry = Entry::new(
    Collective::Allreduce,
    "multirail",
    "up and down two heaps, each for one half of the message on one of two rails",
    Build::Planned(|request| up_and_down(&bcast::MULTIRAIL, request)),
)
.in_segments()
.with(&[Parameter::Clusters]);

/// Returns the mirror of a broadcast into the receive buffers, and the broadcast of the result.
fn up_and_down(broadcast: &Entry, request: &Request) -> Plan {
    let up = mirror::reduce_into(broadcast, request, request.message().within_buffer(Buffer::Receive));
    let down = broadcast.plan(request);
    Box::new(move |rank, ops| {
        up(rank, ops)?;
        let down = ops.inner(rank, |inner| down(rank, inner))?;
        ops.embed(down, |peer| peer, |part| Part { buffer: Buffer::Receive, ..part })
    })
}
