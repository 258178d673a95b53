//! Compositions of collectives of blocks.

use super::levels::{Levels, moved};
use crate::builder::Parts;
use crate::request::{RECEIVERS, SENDERS};
use crate::{Buffer, Builder, Part, Span, TooLarge};

/// Returns the places of a part. `piece` gives the piece of the buffer that has a byte: its first byte and its place.
fn spread(part: Part, piece: impl Fn(u64) -> (u64, Part)) -> Parts {
    let (mut at, end) = (part.offset, part.end());
    let pieces = std::iter::from_fn(|| {
        (at < end).then(|| {
            let (first, place) = piece(at);
            let from = at;
            at = end.min(first + place.bytes);
            place.slice(from - first, at - from)
        })
    });
    pieces.collect()
}

impl Levels {
    pub(super) fn gather(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, &self.request);
        let node = nodes.node_of(rank);
        let of_node = self.of_node(rank, [Buffer::Receive, Buffer::Send], ops);
        if nodes.ranks(node) > 1 || rank == request.root_rank() {
            self.within(rank, self.by_rank(Buffer::Receive, moved(Buffer::Receive, of_node)), ops)?;
        }
        if nodes.count() > 1 && rank == nodes.leader(node) {
            self.between(node, self.by_rank(Buffer::Receive, moved(Buffer::Send, of_node)), ops)?;
        }
        Ok(())
    }

    pub(super) fn scatter(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request) = (&self.nodes, &self.request);
        let node = nodes.node_of(rank);
        let of_node = self.of_node(rank, [Buffer::Send, Buffer::Receive], ops);
        if nodes.count() > 1 && rank == nodes.leader(node) {
            self.between(node, self.by_rank(Buffer::Send, moved(Buffer::Receive, of_node)), ops)?;
        }
        if nodes.ranks(node) > 1 || rank == request.root_rank() {
            self.within(rank, self.by_rank(Buffer::Send, moved(Buffer::Send, of_node)), ops)?;
        }
        Ok(())
    }

    /// Returns the place of a node's blocks at its leader: the root has them in the buffer of all blocks, counted node by node, a rank
    /// that is alone in its node in that of its own.
    fn of_node(&self, rank: u32, [all, own]: [Buffer; 2], ops: &mut Builder) -> Part {
        let (nodes, request) = (&self.nodes, &self.request);
        let node = nodes.node_of(rank);
        let blocks = request.slots(nodes.first(node), nodes.first(node + 1));
        if rank == request.root_rank() {
            blocks.within_buffer(all)
        } else if nodes.ranks(node) == 1 || rank != nodes.leader(node) {
            request.own(rank).within_buffer(own)
        } else {
            ops.scratch(blocks.bytes)
        }
    }

    /// Returns `parts` with the places of blocks in the buffer of all blocks, which `parts` counts node by node. Ranks in turn have blocks of
    /// one size: only a level of a composition has others, and consecutive nodes.
    fn by_rank(&self, all: Buffer, parts: impl Fn(Part) -> Part) -> impl Fn(Part) -> Parts {
        let bytes = self.request.bytes();
        let slot = move |at: u64| {
            let place = at / bytes;
            (place * bytes, self.request.slot(self.nodes.at(place as u32)).within_buffer(all))
        };
        move |part| match parts(part) {
            part if part.buffer == all && self.nodes.are_cyclic() => spread(part, slot),
            part => part.into(),
        }
    }

    /// Returns the places at a rank of a part of the blocks that it receives, which are counted column by column from a run on.
    fn received(&self, rank: u32, part: Part, from: u64) -> Parts {
        let request = &self.request;
        let each = request.runs_of(RECEIVERS, rank) * request.bytes();
        spread(part, |at| {
            let (source, first) = self.by_column().of_run(from + at / each);
            ((first - from) * each, request.received(rank, source))
        })
    }

    /// First between the ranks of the same columns, so that no block crosses between nodes twice.
    pub(super) fn allgather(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        let runs_before = |column| self.by_column().runs_before(column);
        for column in nodes.columns(rank) {
            let of_column = |part: Part| match part.buffer {
                Buffer::Receive => self.received(rank, part, runs_before(column)),
                _ => part.into(),
            };
            self.between_in(column, node, |node| nodes.stand_in(node, column), of_column, ops)?;
        }
        let own = runs_before(nodes.columns(rank).start);
        let of_columns =
            |part: Part| self.received(rank, part, if part.buffer == Buffer::Receive { 0 } else { own });
        self.within(rank, of_columns, ops)
    }

    /// First between the ranks of the same columns, each of which receives the blocks for its whole node.
    pub(super) fn alltoall(&self, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let (nodes, request, columns) = (&self.nodes, &self.request, self.by_column());
        let node = nodes.node_of(rank);
        let [first, end] = [node, node + 1].map(|node| request.runs_before(RECEIVERS, nodes.first(node)));
        let own = nodes.columns(rank);
        let [from, to] = [own.start, own.end].map(|column| columns.runs_before(column));
        let bytes = request.bytes();
        // The blocks from these columns of every node, for the ranks of this node, source by source.
        let all = Span { offset: 0, bytes: (to - from) * (end - first) * bytes };
        let is_alone = nodes.ranks(node) == 1;
        let collected = match (nodes.count(), is_alone) {
            (1, _) => all.within_buffer(Buffer::Send),
            (_, true) => all.within_buffer(Buffer::Receive),
            _ => ops.scratch(all.bytes),
        };
        for column in own {
            let at = columns.runs_before(column);
            let place = (at - from) * (end - first) * bytes;
            let parts = |part: Part| match part.buffer {
                Buffer::Receive if is_alone => self.received(rank, part, at),
                Buffer::Receive => collected.slice(place + part.offset, part.bytes).into(),
                _ => self.by_rank(Buffer::Send, |part| part)(part),
            };
            self.between_in(column, node, |node| nodes.stand_in(node, column), parts, ops)?;
        }
        if is_alone {
            return Ok(());
        }
        let of_columns = |part: Part| {
            if part.buffer == Buffer::Receive {
                return self.received(rank, part, 0);
            }
            spread(part, |at| {
                let run = at / bytes;
                let target = request.rank_of_run(RECEIVERS, first + run / (to - from));
                let before = request.runs_before(RECEIVERS, target) - first;
                let each = request.runs_of(RECEIVERS, target);
                let of_target = (to - from) * before;
                let (source, run) = columns.of_run(from + (run - of_target) / each);
                let runs = request.runs_of(SENDERS, source);
                let place = (run - from) * (end - first) + runs * before;
                let place = collected.slice(place * bytes, runs * each * bytes);
                ((of_target + (run - from) * each) * bytes, place)
            })
        };
        self.within(rank, of_columns, ops)
    }
}
