//! Messages that flow down one tree.

use super::{Buffer, Builder, Library, Request, Span, TooLarge};

/// The place of one rank in a tree over the numbers 0..p, counted from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the parent; the root has none.
    pub(super) parent: Option<u32>,
    /// The numbers of the children, in the order in which they are served.
    pub(super) children: Vec<u32>,
}

/// Sends the message down a tree, segment by segment: a rank passes a segment on as soon as it has it.
///
/// Each segment goes to all children before the next one does. Open MPI also waits until a segment has left for all
/// children before it sends the next (`ompi_coll_base_bcast_intra_generic`).
pub(super) fn bcast(request: &Request, place: &Place, ops: &mut Builder) -> Result<(), TooLarge> {
    let waits = request.chosen_variant().library == Some(Library::OpenMpi);
    for segment in request.segments(request.message()) {
        pass_on(request, place, segment, ops)?;
        if waits {
            ops.hold(ops.len() - place.children.len()..ops.len());
        }
    }
    ops.hold([]);
    Ok(())
}

/// Receives one segment from the parent and sends it to the children.
fn pass_on(request: &Request, place: &Place, segment: Span, ops: &mut Builder) -> Result<(), TooLarge> {
    let part = segment.of(Buffer::Data);
    if let Some(parent) = place.parent {
        ops.receive(request.to_rank(parent), part)?;
    }
    for &child in &place.children {
        ops.send(request.to_rank(child), part)?;
    }
    Ok(())
}
