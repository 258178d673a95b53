//! Compositions of collectives in which all ranks have the same message, and of barriers.

use super::levels::{Levels, moved};
use crate::{Buffer, Builder, Part, TooLarge};

impl Levels<'_> {
    pub(super) fn bcast(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        if rank == nodes.leader(node) {
            self.between(node, |node| nodes.leader(node), |part| part, ops)?;
        }
        self.within(rank, |part| part, ops)
    }

    pub(super) fn reduce(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
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
            self.between(node, |node| nodes.leader(node), moved(Buffer::Send, combined), ops)?;
        }
        Ok(())
    }

    pub(super) fn allreduce(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, self.request);
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
        for column in 0..nodes.most() {
            if nodes.stand_in(node, column) != rank {
                continue;
            }
            // Only a rank's own column ends in its receive buffer.
            let into = if nodes.first(node) + column == rank { result } else { ops.scratch(request.bytes()) };
            let (inputs, results) = (moved(Buffer::Send, combined), moved(Buffer::Receive, into));
            let place = |part: Part| if part.buffer == Buffer::Send { inputs(part) } else { results(part) };
            self.between(node, |node| nodes.stand_in(node, column), place, ops)?;
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
            self.between(node, |node| nodes.leader(node), |part| part, ops)?;
        }
        ops.hold(0..ops.len());
        self.within(rank, |part| part, ops)
    }
}
