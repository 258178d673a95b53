//! A ring around which the blocks travel twice: first being combined, then complete.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// The ring of Patarasuk and Yuan ("Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69, 2009):
/// every rank sends 2 (p − 1)/p of the message.
pub(crate) static RING: Entry = Entry::new(
    Collective::Allreduce,
    "ring",
    "a ring reduce-scatter and a ring allgather of blocks",
    Build::Local(|request, rank, ops| allreduce(request, rank, false, ops)),
)
.alike(|request| Symmetry::TURNS.of_equal_blocks(request));

/// Open MPI's segmented ring: the reduce-scatter works segment by segment, the allgather on whole blocks.
pub(crate) static SEGMENTED_RING: Entry = Entry::new(
    Collective::Allreduce,
    "segmented_ring",
    "the ring whose blocks are combined segment by segment",
    Build::Local(|request, rank, ops| allreduce(request, rank, true, ops)),
)
.in_segments()
.alike(|request| Symmetry::TURNS.of_equal_blocks(request));

/// Runs a ring over p blocks of the message. With `cut`, each segment of a block travels separately while it is combined.
fn allreduce(request: &Request, rank: u32, cut: bool, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let block = |index| request.block(index, group.size);
    // No block is larger than block 0.
    let phases = if cut { request.segments(block(0)).remaining() } else { 1 };
    for phase in 0..phases {
        let piece = |index| if cut { request.segment_of(block(index), phase) } else { block(index) };
        group.reduce_scatter_ring(piece, |index| piece(index).within_buffer(Buffer::Receive), ops)?;
    }
    // Every rank now has the block after its own.
    group.allgather_ring(|from, _| vec![block((from + 1) % group.size).within_buffer(Buffer::Receive)], ops)
}
