//! Blocks that travel down a tree to their destinations, or up a tree from their origins.

use super::tree::{self, Place};
use super::{Buffer, Builder, Part, Request, Span, TooLarge};

/// A tree in which every subtree holds consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Flat,
    Chain,
    /// The tree whose farthest child has the largest subtree.
    Binomial,
}

impl Shape {
    fn place(self, number: u32, comm_size: u32) -> Place {
        match self {
            Self::Flat => tree::flat(number, comm_size),
            Self::Chain => tree::chain(number, comm_size),
            Self::Binomial => tree::farthest_first(number, comm_size),
        }
    }

    /// Returns the number after the last of the subtree.
    fn end(self, number: u32, comm_size: u32) -> u32 {
        match self {
            _ if number == 0 => comm_size,
            Self::Flat => number + 1,
            Self::Chain => comm_size,
            Self::Binomial => comm_size.min(number + (1 << number.trailing_zeros())),
        }
    }
}

/// Sends every rank its block, down a tree.
pub(super) fn scatter(shape: Shape, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let subtree = Subtree::new(shape, request, rank, Buffer::Send, ops);
    let own = request.own(rank).within_buffer(Buffer::Receive);
    match subtree.place.parent {
        None => ops.copy(request.slot(rank).within_buffer(Buffer::Send), own)?,
        Some(parent) => ops.receive(request.to_rank(parent), vec![own, subtree.others])?,
    }
    for &child in &subtree.place.children {
        ops.send(request.to_rank(child), subtree.blocks(child))?;
    }
    Ok(())
}

/// Collects the blocks of all ranks at the root, up a tree.
pub(super) fn gather(shape: Shape, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let subtree = Subtree::new(shape, request, rank, Buffer::Receive, ops);
    let own = request.own(rank).within_buffer(Buffer::Send);
    if subtree.place.parent.is_none() {
        ops.copy(own, request.slot(rank).within_buffer(Buffer::Receive))?;
    }
    for &child in subtree.place.children.iter().rev() {
        ops.receive(request.to_rank(child), subtree.blocks(child))?;
    }
    match subtree.place.parent {
        Some(parent) => ops.send(request.to_rank(parent), vec![own, subtree.others]),
        None => Ok(()),
    }
}

struct Subtree<'r> {
    shape: Shape,
    request: &'r Request,
    number: u32,
    place: Place,
    /// The buffer in which the root has all blocks.
    of_root: Buffer,
    /// The place where a rank other than the root keeps its descendants' blocks.
    others: Part,
}

impl<'r> Subtree<'r> {
    fn new(shape: Shape, request: &'r Request, rank: u32, of_root: Buffer, ops: &mut Builder) -> Self {
        let number = request.from_root(rank);
        let end = shape.end(number, request.comm_size());
        let bytes = if number == 0 { 0 } else { bytes(request, number + 1, end) };
        let place = shape.place(number, request.comm_size());
        Self { shape, request, number, place, of_root, others: ops.scratch(bytes) }
    }

    /// Returns the places of the blocks of a child's subtree on this rank, in the order of their numbers.
    fn blocks(&self, child: u32) -> Vec<Part> {
        let end = self.shape.end(child, self.request.comm_size());
        if self.number > 0 {
            let below = bytes(self.request, self.number + 1, child);
            return vec![self.others.slice(below, bytes(self.request, child, end))];
        }
        blocks(self.request, child, end).map(|span| span.within_buffer(self.of_root)).to_vec()
    }
}

/// Returns the blocks of the numbers `from..to`. They count from the root, so they wrap around after the last rank once.
fn blocks(request: &Request, from: u32, to: u32) -> [Span; 2] {
    let first = request.to_rank(from);
    let straight = (to - from).min(request.comm_size() - first);
    [(first, first + straight), (0, to - from - straight)].map(|(from, to)| request.slots(from, to))
}

fn bytes(request: &Request, from: u32, to: u32) -> u64 {
    blocks(request, from, to).iter().map(|span| span.bytes).sum()
}
