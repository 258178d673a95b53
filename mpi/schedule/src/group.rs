//! Stages that many algorithms share, among ranks that are numbered from 0.

use super::partial::{Partial, Side, Slots};
use super::tree::farthest_first;
use super::{Builder, Part, Request, Span, TooLarge};

/// Numbered ranks, from the view of one of them.
pub(super) struct Group<'r> {
    pub(super) size: u32,
    pub(super) me: u32,
    rank: Box<dyn Fn(u32) -> u32 + 'r>,
}

impl<'r> Group<'r> {
    /// Returns all ranks, each numbered by itself.
    pub(super) fn all(request: &Request, rank: u32) -> Self {
        Self { size: request.comm_size(), me: rank, rank: Box::new(|number| number) }
    }

    pub(super) fn from_root(request: &'r Request, rank: u32) -> Self {
        let to_rank = |number| request.to_rank(number);
        Self { size: request.comm_size(), me: request.from_root(rank), rank: Box::new(to_rank) }
    }

    pub(super) fn rank(&self, number: u32) -> u32 {
        (self.rank)(number)
    }

    /// Returns the number `distance` behind this one in a circle, at most one full turn.
    pub(super) fn behind(&self, distance: u32) -> u32 {
        (self.me + self.size - distance) % self.size
    }

    /// Returns the number `distance` ahead of this one in a circle, at most one full turn.
    pub(super) fn ahead(&self, distance: u32) -> u32 {
        (self.me + distance) % self.size
    }

    /// Returns `count` numbers in a circle from `first` on, as ranges.
    pub(super) fn ranges(&self, first: u32, count: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let straight = count.min(self.size - first);
        [(first, first + straight), (0, count - straight)].into_iter().filter(|(from, to)| from < to)
    }

    /// Returns the blocks of `count` numbers in a circle from `first` on.
    pub(super) fn around(&self, first: u32, count: u32, block: impl Fn(u32, u32) -> Vec<Part>) -> Vec<Part> {
        self.ranges(first, count).flat_map(|(from, to)| block(from, to)).collect()
    }

    /// Sends every rank its block and those of its subtree, from number 0 down a binomial tree.
    pub(super) fn scatter_binomial(
        &self,
        block: impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let place = farthest_first(self.me, self.size);
        if let Some(parent) = place.parent {
            ops.receive(self.rank(parent), block(self.me, self.subtree_end(self.me)))?;
        }
        for child in place.children {
            ops.send(self.rank(child), block(child, self.subtree_end(child)))?;
        }
        Ok(())
    }

    /// Collects all blocks at number 0, up a binomial tree.
    pub(super) fn gather_binomial(
        &self,
        block: impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let place = farthest_first(self.me, self.size);
        for &child in place.children.iter().rev() {
            ops.receive(self.rank(child), block(child, self.subtree_end(child)))?;
        }
        match place.parent {
            Some(parent) => ops.send(self.rank(parent), block(self.me, self.subtree_end(self.me))),
            None => Ok(()),
        }
    }

    /// Returns the number after the last of a binomial subtree.
    fn subtree_end(&self, number: u32) -> u32 {
        if number == 0 { self.size } else { self.size.min(number + (1 << number.trailing_zeros())) }
    }

    /// Spreads the blocks, of which every rank has its own, one at a time around a ring.
    pub(super) fn allgather_ring(
        &self,
        block: impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let (ahead, behind) = (self.rank(self.ahead(1)), self.rank(self.behind(1)));
        for round in 0..self.size - 1 {
            let (sent, received) = (self.behind(round), self.behind(round + 1));
            ops.send(ahead, block(sent, sent + 1))?;
            ops.receive(behind, block(received, received + 1))?;
        }
        Ok(())
    }

    /// Spreads the blocks, of which every rank has its own, by recursive doubling.
    ///
    /// In round k, groups of 2^k ranks exchange everything they have with the next group. If that one is not full, ranks
    /// without a partner get its blocks from the others of their own group, whose number doubles each time.
    pub(super) fn allgather_doubling(
        &self,
        block: impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let mut half = 1;
        while half < self.size {
            let start = self.me & !(2 * half - 1);
            let middle = start + half;
            let end = self.size.min(middle.saturating_add(half));
            if middle < end {
                let index = self.me - start;
                if index >= half {
                    let peer = self.rank(self.me - half);
                    ops.send(peer, block(middle, end))?;
                    ops.receive(peer, block(start, middle))?;
                } else {
                    self.take_from_next(index, half, (start, middle, end), &block, ops)?;
                }
            }
            half *= 2;
        }
        Ok(())
    }

    /// Receives the blocks `middle..end` of the next group, which may have fewer ranks than this one.
    fn take_from_next(
        &self,
        index: u32,
        half: u32,
        (start, middle, end): (u32, u32, u32),
        block: &impl Fn(u32, u32) -> Vec<Part>,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let mut holders = end - middle;
        if index < holders {
            let peer = self.rank(self.me + half);
            ops.send(peer, block(start, middle))?;
            ops.receive(peer, block(middle, end))?;
        }
        while holders < half {
            if index < holders && index + holders < half {
                ops.send(self.rank(self.me + holders), block(middle, end))?;
            } else if (holders..2 * holders).contains(&index) {
                ops.receive(self.rank(self.me - holders), block(middle, end))?;
            }
            holders *= 2;
        }
        Ok(())
    }

    /// Combines blocks around a ring: each starts at the rank with its number and ends at the one before that, so a rank ends
    /// with the block after its own. `piece` returns the place of a block in the send buffer, `into` the place where it
    /// is combined.
    pub(super) fn reduce_scatter_ring(
        &self,
        piece: impl Fn(u32) -> Span,
        into: impl Fn(u32) -> Part,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let (ahead, behind) = (self.rank(self.ahead(1)), self.rank(self.behind(1)));
        let longest = (0..2.min(self.size)).map(|index| piece(index).bytes).max().unwrap_or(0);
        let mut slots = Slots::new(longest);
        let mut sent = piece(self.me).within_buffer(super::Buffer::Send);
        for round in 0..self.size - 1 {
            let index = self.behind(round + 1);
            let own = piece(index);
            let slot = slots.next(own.bytes, ops);
            ops.send(ahead, sent)?;
            ops.receive(behind, slot)?;
            sent = into(index);
            ops.reduce(&[slot, own.within_buffer(super::Buffer::Send)], sent)?;
        }
        Ok(())
    }
}

/// Ranks in which some pairs of neighbours stand for one node, so that the number of nodes is a power of two.
///
/// The second of a pair is the node; the first hands over its input and receives the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded {
    /// The number of nodes, the largest power of two that is at most the number of ranks.
    pub(super) nodes: u32,
    pairs: u32,
    rank: u32,
}

impl Folded {
    pub(super) fn new(comm_size: u32, rank: u32) -> Self {
        let nodes = 1 << comm_size.ilog2();
        Self { nodes, pairs: comm_size - nodes, rank }
    }

    /// Returns the node of this rank, or `None` for the first of a pair.
    pub(super) fn node(&self) -> Option<u32> {
        match self.rank {
            rank if rank >= 2 * self.pairs => Some(rank - self.pairs),
            rank => (rank % 2 == 1).then_some(rank / 2),
        }
    }

    pub(super) fn partner(&self) -> Option<u32> {
        (self.rank < 2 * self.pairs).then_some(self.rank ^ 1)
    }

    pub(super) fn rank(&self, node: u32) -> u32 {
        if node < self.pairs { 2 * node + 1 } else { node + self.pairs }
    }

    /// Returns the first rank that `node` stands for.
    pub(super) fn first_rank(&self, node: u32) -> u32 {
        if node < self.pairs { 2 * node } else { node + self.pairs }
    }

    /// Returns the nodes as a group, from the view of one of them.
    pub(super) fn group(self, node: u32) -> Group<'static> {
        Group { size: self.nodes, me: node, rank: Box::new(move |node| self.rank(node)) }
    }

    /// Combines the inputs of pairs. Returns the node that this rank is from now on.
    pub(super) fn enter(
        &self,
        message: Span,
        partial: &mut Partial,
        slots: &mut Slots,
        ops: &mut Builder,
    ) -> Result<Option<u32>, TooLarge> {
        let node = self.node();
        if let Some(partner) = self.partner() {
            if node.is_none() {
                ops.send(partner, partial.parts(message))?;
            } else {
                let slot = slots.next(message.bytes, ops);
                ops.receive(partner, slot)?;
                partial.absorb(message, slot, Side::Left, ops)?;
            }
        }
        Ok(node)
    }

    /// Leaves each node with its own block combined over all nodes, by recursive halving. `block` returns the place of
    /// consecutive nodes' blocks in the message.
    pub(super) fn halve(
        &self,
        node: u32,
        block: impl Fn(u32, u32) -> Span,
        partial: &mut Partial,
        slots: &mut Slots,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let (mut from, mut to) = (0, self.nodes);
        while to - from > 1 {
            let half = (to - from) / 2;
            let middle = from + half;
            let (lower, upper) = (block(from, middle), block(middle, to));
            let is_lower = node < middle;
            let (kept, sent) = if is_lower { (lower, upper) } else { (upper, lower) };
            let peer = self.rank(node ^ half);
            let slot = slots.next(kept.bytes, ops);
            ops.send(peer, partial.parts(sent))?;
            ops.receive(peer, slot)?;
            partial.absorb(kept, slot, if is_lower { Side::Right } else { Side::Left }, ops)?;
            (from, to) = if is_lower { (from, middle) } else { (middle, to) };
        }
        Ok(())
    }

    /// Sends the result to the first of the pair, if there is one.
    pub(super) fn leave(&self, result: Vec<Part>, ops: &mut Builder) -> Result<(), TooLarge> {
        self.partner().map_or(Ok(()), |partner| ops.send(partner, result))
    }

    /// Receives the result at the first of a pair.
    pub(super) fn await_result(&self, result: Vec<Part>, ops: &mut Builder) -> Result<(), TooLarge> {
        self.partner().map_or(Ok(()), |partner| ops.receive(partner, result))
    }
}
