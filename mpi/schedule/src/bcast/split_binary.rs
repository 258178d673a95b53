//! Two halves flow down two subtrees, then neighbours exchange them.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::open_mpi::{self, Sends};
use crate::tree;
use crate::{Buffer, Builder, Library, Request, Span, TooLarge};

/// Open MPI's split binary tree: the left half of the message goes to the odd ranks, counted from the root, the right
/// half to the even ones; then ranks 2i − 1 and 2i exchange their halves. The last rank of an even number of ranks has
/// no partner, and the root sends it the other half.
pub(crate) static SPLIT_BINARY: Entry = Entry::new(
    Collective::Bcast,
    "split_binary",
    "halves down the two subtrees of a binary tree, then an exchange of neighbours",
    Build::Local(broadcast),
)
.in_segments();

fn broadcast(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    let number = request.from_root(rank);
    let halves = [request.block(0, 2), request.block(1, 2)];
    let waits = request.chosen_variant().library == Some(Library::OpenMpi);
    if waits && is_too_short(request, halves) {
        return tree::bcast(request, &tree::chain(number, comm_size), ops);
    }
    let place = tree::alternating(number, comm_size);
    if number == 0 {
        let [left, right] = halves.map(|half| request.segments(half).collect::<Vec<_>>());
        for index in 0..left.len().max(right.len()) {
            for (&child, half) in place.children.iter().zip([&left, &right]) {
                if let Some(segment) = half.get(index) {
                    ops.send(request.to_rank(child), segment.within_buffer(Buffer::Data))?;
                    if waits {
                        ops.hold([ops.len() - 1]);
                    }
                }
            }
        }
        if comm_size.is_multiple_of(2) {
            ops.send(request.to_rank(comm_size - 1), halves[1].within_buffer(Buffer::Data))?;
        }
        return Ok(());
    }
    let is_left = number % 2 == 1;
    let (own, other) = if is_left { (halves[0], halves[1]) } else { (halves[1], halves[0]) };
    if waits {
        open_mpi::pass_on(request, (place.parent, &place.children), own, Sends::InTurn, ops)?;
    } else {
        tree::pass_on(request, &place, own, ops)?;
    }
    exchange(request, number, own, other, ops)
}

/// Returns whether Open MPI sends the message along a chain of all ranks instead, because a half is empty or smaller than a segment.
fn is_too_short(request: &Request, halves: [Span; 2]) -> bool {
    let segment = request.segment_size().unwrap_or(0);
    halves.iter().any(|half| half.bytes == 0 || segment > half.bytes)
}

/// Exchanges whole halves with the neighbour, or receives the other half from the root.
fn exchange(
    request: &Request,
    number: u32,
    own: Span,
    other: Span,
    ops: &mut Builder,
) -> Result<(), TooLarge> {
    let partner = if number % 2 == 1 { number + 1 } else { number - 1 };
    if partner == request.comm_size() {
        return ops.receive(request.to_rank(0), other.within_buffer(Buffer::Data));
    }
    ops.send(request.to_rank(partner), own.within_buffer(Buffer::Data))?;
    ops.receive(request.to_rank(partner), other.within_buffer(Buffer::Data))
}
