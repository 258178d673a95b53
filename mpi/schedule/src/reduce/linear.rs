//! A flat tree: every rank sends to the root.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::partial::Slots;
use crate::{Buffer, Builder, Request, TooLarge};

/// The flat tree; the root combines in rank order, so the operation need not commute.
pub(crate) static LINEAR: Entry = Entry::new(
    Collective::Reduce,
    "linear",
    "every rank sends to the root, which combines in rank order",
    Build::Local(reduce),
)
.in_segments()
.in_rank_order();

fn reduce(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let root = request.root_rank();
    if rank != root {
        for segment in request.segments(request.message()) {
            ops.send(root, segment.within_buffer(Buffer::Send))?;
        }
        return Ok(());
    }
    let mut slots =
        Slots::new(request.segments(request.message()).map(|segment| segment.bytes).max().unwrap_or(0));
    for segment in request.segments(request.message()) {
        let result = segment.within_buffer(Buffer::Receive);
        // Rank 0 begins the result; the root has its input already.
        let mut so_far = if root == 0 { segment.within_buffer(Buffer::Send) } else { result };
        if root > 0 {
            ops.receive(0, result)?;
        }
        for other in 1..request.comm_size() {
            let operand = if other == root {
                segment.within_buffer(Buffer::Send)
            } else {
                slots.next(segment.bytes, ops)
            };
            if other != root {
                ops.receive(other, operand)?;
            }
            ops.reduce(&[so_far, operand], result)?;
            so_far = result;
        }
    }
    Ok(())
}
