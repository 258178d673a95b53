//! Messages that travel down one tree.

use super::open_mpi::{self, Sends};
use super::{Buffer, Builder, Library, Request, Span, TooLarge};

/// The place of one rank in a tree over the numbers 0..p, counted from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the parent, or `None` for the root.
    pub(super) parent: Option<u32>,
    /// The numbers of the children, in the order in which they are served.
    pub(super) children: Vec<u32>,
}

/// Sends the message down a tree, segment by segment.
pub(super) fn bcast(request: &Request, place: &Place, ops: &mut Builder) -> Result<(), TooLarge> {
    let message = request.message();
    match request.chosen_variant().library {
        Some(Library::OpenMpi) => {
            open_mpi::pass_on(request, (place.parent, &place.children), message, Sends::Together, ops)
        }
        _ => pass_on(request, place, message, ops),
    }
}

/// Sends a part of the message down a tree: a rank passes a segment on as soon as it has it.
///
/// Each segment goes to all children before the next one does.
pub(super) fn pass_on(
    request: &Request,
    place: &Place,
    span: Span,
    ops: &mut Builder,
) -> Result<(), TooLarge> {
    for segment in request.segments(span) {
        let part = segment.within_buffer(Buffer::Data);
        if let Some(parent) = place.parent {
            ops.receive(request.to_rank(parent), part)?;
        }
        for &child in &place.children {
            ops.send(request.to_rank(child), part)?;
        }
    }
    Ok(())
}

/// Returns the place in the tree in which the root has all others as its children.
pub(super) fn flat(number: u32, comm_size: u32) -> Place {
    match number {
        0 => Place { parent: None, children: (1..comm_size).collect() },
        _ => Place { parent: Some(0), children: Vec::new() },
    }
}

/// Returns the place in one chain of all numbers.
pub(super) fn chain(number: u32, comm_size: u32) -> Place {
    Place { parent: number.checked_sub(1), children: (number + 1..comm_size).take(1).collect() }
}

/// Returns the place in the binomial tree where a parent's number is the child's without its lowest bit, and the child
/// with the largest subtree is served first.
pub(super) fn farthest_first(number: u32, comm_size: u32) -> Place {
    let reach =
        if number == 0 { comm_size.next_power_of_two().trailing_zeros() } else { number.trailing_zeros() };
    let children = (0..reach).rev().map(|bit| number | 1 << bit).filter(|&child| child < comm_size);
    Place { parent: (number > 0).then(|| number & (number - 1)), children: children.collect() }
}

/// Returns the place in Open MPI's binary tree (`ompi_coll_base_topo_build_tree`): on level l the children of v are
/// v + 2^l and v + 2·2^l, so odd numbers are in the left subtree and even ones in the right.
pub(super) fn alternating(number: u32, comm_size: u32) -> Place {
    let step = 1 << (number + 1).ilog2();
    let children = [number + step, number + 2 * step].into_iter().filter(|&child| child < comm_size);
    let parent = (number > 0).then(|| {
        // Level l holds the numbers from 2^l − 1 on.
        let above = step / 2;
        let nearer = number - above;
        if nearer < step - 1 { nearer } else { nearer - above }
    });
    Place { parent, children: children.collect() }
}
