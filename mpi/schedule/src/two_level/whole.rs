//! Compositions of collectives in which all ranks have the same message, and of barriers.

use super::levels::{Levels, moved};
use crate::{Buffer, Builder, Part, TooLarge};

impl Levels {
    pub(super) fn bcast(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        if rank == nodes.leader(node) {
            self.between(node, |part| part, ops)?;
        }
        self.within(rank, |part| part, ops)
    }

    pub(super) fn reduce(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, &self.request);
        let node = nodes.node_of(rank);
        let is_leader = rank == nodes.leader(node);
        // The result of the node, which a single rank has from the start. Between the nodes it is the input.
        let combined = if is_leader && nodes.ranks(node) > 1 {
            ops.scratch(request.bytes())
        } else {
            request.message().within_buffer(Buffer::Send)
        };
        if nodes.ranks(node) > 1 {
            self.within(rank, moved(Buffer::Receive, combined), ops)?;
        }
        if is_leader {
            self.between(node, moved(Buffer::Send, combined), ops)?;
        }
        Ok(())
    }

    pub(super) fn allreduce(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, &self.request);
        let node = nodes.node_of(rank);
        let result = request.message().within_buffer(Buffer::Receive);
        let combined = if nodes.ranks(node) > 1 && nodes.count() > 1 {
            ops.scratch(request.bytes())
        } else if nodes.ranks(node) > 1 {
            result
        } else {
            request.message().within_buffer(Buffer::Send)
        };
        if nodes.ranks(node) > 1 {
            self.within(rank, moved(Buffer::Receive, combined), ops)?;
        }
        if nodes.count() == 1 {
            return if nodes.ranks(node) > 1 { Ok(()) } else { ops.copy(combined, result) };
        }
        let columns = || (0..nodes.most()).map(|column| (nodes.in_turn(node, column), self.slice(column)));
        for (column, (owner, slice)) in (0..).zip(columns()) {
            if owner == rank && slice.bytes > 0 {
                let [inputs, results] =
                    [combined, result].map(|whole| whole.slice(slice.offset, slice.bytes));
                let (inputs, results) = (moved(Buffer::Send, inputs), moved(Buffer::Receive, results));
                let place =
                    |part: Part| if part.buffer == Buffer::Send { inputs(part) } else { results(part) };
                self.between_in(column, node, |node| nodes.in_turn(node, column), place, ops)?;
            }
        }
        for (owner, slice) in columns().filter(|(_, slice)| slice.bytes > 0) {
            let slice = result.slice(slice.offset, slice.bytes);
            if owner != rank {
                ops.receive(owner, slice)?;
                continue;
            }
            let of_node = (0..nodes.ranks(node)).map(|column| nodes.rank(node, column));
            for other in of_node.filter(|other| *other != rank) {
                ops.send(other, slice)?;
            }
        }
        Ok(())
    }

    pub(super) fn barrier(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        self.within(rank, |part| part, ops)?;
        if nodes.count() == 1 {
            return Ok(());
        }
        // Signals have no bytes by which the builder could tell what they wait for.
        if rank == nodes.leader(node) {
            ops.hold(0..ops.len());
            self.between(node, |part| part, ops)?;
        }
        ops.hold(0..ops.len());
        self.within(rank, |part| part, ops)
    }
}
