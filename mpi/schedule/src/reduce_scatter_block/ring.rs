//! A ring around which blocks travel and are combined.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The ring: a block visits every rank once and ends where it belongs.
pub(crate) static RING: Entry = Entry::new(
    Collective::ReduceScatterBlock,
    "ring",
    "blocks travel around a ring and are combined on the way",
    Build::Local(reduce_scatter),
)
.alike(|request| request.comm_size().is_multiple_of(2).then_some(Symmetry::TURNS));

fn reduce_scatter(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    if group.size == 1 {
        return ops.copy(
            request.message().within_buffer(Buffer::Send),
            request.message().within_buffer(Buffer::Receive),
        );
    }
    // The ring leaves every rank with the block after the one it began with.
    let shifted = |index: u32| if index == 0 { group.size - 1 } else { index - 1 };
    let on_the_way = ops.scratch(2 * request.bytes());
    let into = |index: u32| match shifted(index) {
        slot if slot == rank => request.message().within_buffer(Buffer::Receive),
        slot => on_the_way.slice(u64::from(slot % 2) * request.bytes(), request.bytes()),
    };
    group.reduce_scatter_ring(|index| request.slot(shifted(index)), into, ops)
}
