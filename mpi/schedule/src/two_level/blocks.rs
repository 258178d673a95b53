//! Compositions of collectives of blocks, for nodes of the same number of ranks.

use super::levels::{Levels, moved};
use crate::builder::Parts;
use crate::{Buffer, Builder, Part, TooLarge};

/// Returns the place of a part of consecutive blocks of `bytes` bytes, each of which has a place of its own.
fn spread(part: Part, bytes: u64, place: impl Fn(u32) -> Part) -> Parts {
    let (mut at, end) = (part.offset, part.end());
    let pieces = std::iter::from_fn(|| {
        let from = at;
        (from < end).then(|| {
            let block = from / bytes;
            at = end.min((block + 1) * bytes);
            place(block as u32).slice(from - block * bytes, at - from)
        })
    });
    pieces.collect()
}

impl Levels<'_> {
    pub(super) fn gather(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
        let node = nodes.node_of(rank);
        let of_node = self.of_node(rank, [Buffer::Receive, Buffer::Send], ops);
        if nodes.ranks(node) > 1 || rank == request.root_rank() {
            self.within(rank, self.by_rank(Buffer::Receive, moved(Buffer::Receive, of_node)), ops)?;
        }
        if nodes.count() > 1 && rank == nodes.leader(node) {
            let parts = self.by_rank(Buffer::Receive, moved(Buffer::Send, of_node));
            self.between(node, |node| nodes.leader(node), parts, ops)?;
        }
        Ok(())
    }

    pub(super) fn scatter(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
        let node = nodes.node_of(rank);
        let of_node = self.of_node(rank, [Buffer::Send, Buffer::Receive], ops);
        if nodes.count() > 1 && rank == nodes.leader(node) {
            let parts = self.by_rank(Buffer::Send, moved(Buffer::Receive, of_node));
            self.between(node, |node| nodes.leader(node), parts, ops)?;
        }
        if nodes.ranks(node) > 1 || rank == request.root_rank() {
            self.within(rank, self.by_rank(Buffer::Send, moved(Buffer::Send, of_node)), ops)?;
        }
        Ok(())
    }

    /// Returns the place of a node's blocks at its leader: the root has them in the buffer of all blocks, counted node by node, a rank
    /// that is alone in its node in that of its own.
    fn of_node(&self, rank: u32, [all, own]: [Buffer; 2], ops: &mut Builder) -> Part {
        let (nodes, request) = (&self.nodes, self.request);
        let node = nodes.node_of(rank);
        if rank == request.root_rank() {
            request.slots(nodes.first(node), nodes.first(node) + nodes.ranks(node)).within_buffer(all)
        } else if nodes.ranks(node) == 1 || rank != nodes.leader(node) {
            request.message().within_buffer(own)
        } else {
            ops.scratch(u64::from(nodes.ranks(node)) * request.bytes())
        }
    }

    /// Returns `parts` with the places of blocks in the buffer of all blocks, which `parts` counts node by node.
    fn by_rank(&self, all: Buffer, parts: impl Fn(Part) -> Part) -> impl Fn(Part) -> Parts {
        let slot = move |place| self.request.slot(self.nodes.at(place)).within_buffer(all);
        move |part| match parts(part) {
            part if part.buffer == all && self.nodes.are_cyclic() => spread(part, self.request.bytes(), slot),
            part => part.into(),
        }
    }

    /// First between the ranks with the same number in their nodes, so that no block crosses between nodes twice.
    pub(super) fn allgather(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
        let node = nodes.node_of(rank);
        let (count, column) = (nodes.count(), nodes.column(rank));
        let slot =
            |node: u32, column: u32| request.slot(nodes.rank(node, column)).within_buffer(Buffer::Receive);
        let of_column = |part: Part| match part.buffer {
            Buffer::Receive => spread(part, request.bytes(), |node| slot(node, column)),
            _ => part.into(),
        };
        self.between(node, |node| nodes.rank(node, column), of_column, ops)?;
        let of_columns = |part: Part| match part.buffer {
            Buffer::Receive => spread(part, request.bytes(), |block| slot(block % count, block / count)),
            _ => spread(part, request.bytes(), |node| slot(node, column)),
        };
        self.within(rank, of_columns, ops)
    }

    /// First between the ranks with the same number in their nodes, each of which receives the blocks for its whole node.
    pub(super) fn alltoall(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
        let node = nodes.node_of(rank);
        let (count, column) = (nodes.count(), nodes.column(rank));
        let all = request.slots(0, request.comm_size());
        // The blocks from this column of every node, for each rank of this node, node by node.
        let collected = match (count, nodes.most()) {
            (1, _) => all.within_buffer(Buffer::Send),
            (_, 1) => all.within_buffer(Buffer::Receive),
            _ => ops.scratch(all.bytes),
        };
        let parts = self.by_rank(Buffer::Send, moved(Buffer::Receive, collected));
        self.between(node, |node| nodes.rank(node, column), parts, ops)?;
        let of_columns = |part: Part| {
            spread(part, request.bytes(), |block| {
                let place = nodes.first(block % count) + block / count;
                if part.buffer == Buffer::Receive {
                    return request.slot(nodes.at(place)).within_buffer(Buffer::Receive);
                }
                let slot = request.slot(place);
                collected.slice(slot.offset, slot.bytes)
            })
        };
        self.within(rank, of_columns, ops)
    }
}
