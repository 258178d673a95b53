//! The multirail reduction and the multirail broadcast of the result.

use super::reduce_bcast::up_and_down;
use crate::Collective;
use crate::algorithm::{Algorithm, Build, Entry, Parameter, Plan};
use crate::{Buffer, Request, bcast, mirror};

/// Segments go up two heaps and down again, each half of the message on one of two rails. Both directions of a rail are used at the
/// same time.
pub(crate) static MULTIRAIL: Entry = Entry::new(
    Collective::Allreduce,
    "multirail",
    "up and down two heaps, each for one half of the message on one of two rails",
    Build::Planned(plan),
)
.in_segments()
.with(&[Parameter::Clusters]);

fn plan(request: &Request) -> Plan {
    let message = request.message().within_buffer(Buffer::Receive);
    let up = mirror::reduce_into(&bcast::MULTIRAIL, request, message);
    let down = bcast::MULTIRAIL.plan(request);
    let request = request.clone();
    Box::new(move |rank, ops| up_and_down(&request, (&up, &down), rank, ops))
}
