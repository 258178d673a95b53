//! The trees along which the bytes of a broadcast reach the ranks.

use std::collections::HashMap;

use super::{Action, Buffer, Span, Verified};
use crate::Collective;

/// A tree along which some bytes of a broadcast travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryTree {
    /// The bytes, as ascending ranges of the message; adjacent ranges are merged.
    pub pieces: Vec<Span>,
    /// The arrival of the first piece at each rank, or `None` for the root, which has it.
    pub arrivals: Vec<Option<Arrival>>,
}

/// The first arrival of bytes at a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The sending rank.
    pub from: u32,
    /// The rail that carries them.
    pub rail: u32,
    /// The step of the transfer, as counted in [`Counts::rounds`](super::Counts::rounds).
    pub step: u64,
}

impl DeliveryTree {
    /// Returns the ranks to which each rank passes the bytes on, in the order in which it serves them.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.arrivals.len()];
        let mut order: Vec<(u64, u32, u32)> = (0..)
            .zip(&self.arrivals)
            .filter_map(|(rank, arrival)| arrival.map(|Arrival { from, step, .. }| (step, rank, from)))
            .collect();
        order.sort_unstable();
        for (_, rank, from) in order {
            children[from as usize].push(rank);
        }
        children
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }
}

impl Verified<'_> {
    /// Returns the different trees of a broadcast in the order of their first bytes.
    ///
    /// The parent of a rank is the rank whose message brings a byte first, if every message takes one step (see
    /// [`Self::passages`]). Bytes that have the same parents and rails everywhere share a tree: a pipelined tree is one tree,
    /// however many segments there are. An empty message has no trees, nor has any collective other than the broadcast.
    pub fn trees(&self) -> Vec<DeliveryTree> {
        let schedule = self.schedule();
        if schedule.collective != Collective::Bcast {
            return Vec::new();
        }
        let (mut messages, mut cuts) = (Vec::new(), vec![0, schedule.request.bytes()]);
        for passage in self.passages() {
            let send = self.graph.nodes(passage.from).start + passage.operation;
            let Some(receive) = self.graph.partner(send) else { continue };
            let Action::Receive { parts, .. } = self.graph.action(schedule, receive) else { continue };
            let parts = parts.iter().filter(|part| part.buffer == Buffer::Data);
            cuts.extend(parts.clone().flat_map(|part| [part.offset, part.end()]));
            messages.push((passage, parts));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let pieces = cuts.len() - 1;
        let mut arrivals = vec![vec![None; schedule.ranks.len()]; pieces];
        for (passage, parts) in messages {
            if passage.to == schedule.request.root_rank() {
                continue;
            }
            let arrival = Arrival { from: passage.from, rail: passage.rail, step: passage.step };
            for part in parts {
                let first = cuts.partition_point(|&cut| cut < part.offset);
                let behind = cuts.partition_point(|&cut| cut < part.end());
                for piece in &mut arrivals[first..behind] {
                    piece[passage.to as usize].get_or_insert(arrival);
                }
            }
        }
        let spans = cuts.windows(2).map(|cut| Span { offset: cut[0], bytes: cut[1] - cut[0] });
        grouped(spans.zip(arrivals))
    }
}

/// Merges the pieces whose bytes take the same path.
fn grouped(pieces: impl Iterator<Item = (Span, Vec<Option<Arrival>>)>) -> Vec<DeliveryTree> {
    let mut trees: Vec<DeliveryTree> = Vec::new();
    let mut known: HashMap<Vec<Option<(u32, u32)>>, usize> = HashMap::new();
    for (span, arrivals) in pieces {
        let way =
            arrivals.iter().map(|arrival| arrival.map(|arrival| (arrival.from, arrival.rail))).collect();
        let tree = *known.entry(way).or_insert(trees.len());
        match trees.get_mut(tree) {
            None => trees.push(DeliveryTree { pieces: vec![span], arrivals }),
            Some(tree) => match tree.pieces.last_mut() {
                Some(last) if last.offset + last.bytes == span.offset => last.bytes += span.bytes,
                _ => tree.pieces.push(span),
            },
        }
    }
    trees
}
