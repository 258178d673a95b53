//! Two halves flow down two subtrees, then neighbours exchange them.

use crate::Collective;
use crate::schedule::algorithm::{Build, Entry};
use crate::schedule::tree;
use crate::schedule::{Buffer, Builder, Request, Span, TooLarge};

/// Open MPI's split binary tree: the left half of the message goes to the odd ranks, counted from the root, the right
/// half to the even ones; then ranks 2i − 1 and 2i exchange their halves. The last rank of an even number of ranks has
/// no partner, and the root sends it the other half.
pub(in crate::schedule) static SPLIT_BINARY: Entry = Entry {
    collective: Collective::Bcast,
    name: "split_binary",
    summary: "halves down the two subtrees of a binary tree, then an exchange of neighbours",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Local(broadcast),
};

fn broadcast(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let comm_size = request.comm_size();
    let number = request.from_root(rank);
    let halves = [request.block(0, 2), request.block(1, 2)];
    let place = tree::alternating(number, comm_size);
    if number == 0 {
        let [left, right] = halves.map(|half| request.segments(half).collect::<Vec<_>>());
        for index in 0..left.len().max(right.len()) {
            for (&child, half) in place.children.iter().zip([&left, &right]) {
                if let Some(segment) = half.get(index) {
                    ops.send(request.to_rank(child), segment.within_buffer(Buffer::Data))?;
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
    tree::pass_on(request, &place, own, ops)?;
    exchange(request, number, own, other, ops)
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
