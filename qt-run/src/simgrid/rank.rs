//! One rank of a schedule as an actor.

use std::collections::BTreeMap;

use qtdec_mpi::network::{Level, MessageCost, Network};
use qtdec_mpi::schedule::{Action, Algorithm, Operation};

use super::library::{Actor, Arrival, Inbox, Outbox};
use crate::points::Point;

/// A rank, which takes part in one point after the other.
pub(super) struct Rank<'a> {
    actor: &'a Actor<'a>,
    network: &'a Network,
    rank: u32,
    /// By peer and rail.
    inboxes: BTreeMap<(u32, u32), Inbox>,
    outboxes: BTreeMap<(u32, u32), Outbox>,
    /// When the send port is free.
    port: f64,
}

/// What has become of an operation.
enum State {
    /// A message that leaves the port at this date.
    Leaves(f64),
    /// A message that was asked for.
    Arrives(Arrival, u64),
    Complete,
}

impl<'a> Rank<'a> {
    pub(super) fn new(actor: &'a Actor<'a>, network: &'a Network, rank: u32) -> Self {
        let (inboxes, outboxes) = (BTreeMap::new(), BTreeMap::new());
        Self { actor, network, rank, inboxes, outboxes, port: 0.0 }
    }

    /// Takes part in a point, and returns how long that took this rank; no time if it is not one of the point's.
    pub(super) fn play(&mut self, point: &Point) -> f64 {
        let takes_part = self.rank < point.request.comm_size();
        let built = takes_part.then(|| point.algorithm.rank(&point.request, self.rank));
        let operations = match built {
            Some(Ok(schedule)) => schedule.operations,
            Some(Err(error)) => unreachable!("the own simulator has built this schedule: {error}"),
            None => Vec::new(),
        };
        self.open(&operations);
        // No rank sends before all have opened their boxes, and all begin at the same date.
        self.actor.meet();
        let start = self.actor.now();
        let mut states: Vec<State> = Vec::with_capacity(operations.len());
        for operation in &operations {
            for &before in &operation.after {
                self.complete(&mut states[before as usize]);
            }
            states.push(self.post(&operation.action));
        }
        for state in &mut states {
            self.complete(state);
        }
        self.actor.now() - start
    }

    /// Opens the boxes of all channels that the rank receives from.
    fn open(&mut self, operations: &[Operation]) {
        for operation in operations {
            if let Action::Receive { peer, rail, .. } = operation.action {
                let (actor, rank) = (self.actor, self.rank);
                self.inboxes.entry((peer, rail)).or_insert_with(|| actor.inbox(&channel(peer, rank, rail)));
            }
        }
    }

    fn post(&mut self, action: &Action) -> State {
        let bytes = action.bytes();
        match *action {
            Action::Send { peer, rail, .. } => {
                let MessageCost { gap, send, .. } = self.network.cost(Level::Within, bytes);
                self.actor.sleep_for(send);
                self.actor.sleep_until(self.port);
                let (actor, rank) = (self.actor, self.rank);
                let outbox = self.outboxes.entry((peer, rail));
                let outbox = outbox.or_insert_with(|| actor.outbox(&channel(rank, peer, rail)));
                outbox.send(bytes + self.network.description().header_bytes);
                self.port = self.actor.now() + gap;
                State::Leaves(self.port)
            }
            Action::Receive { peer, rail, .. } => {
                State::Arrives(self.inboxes[&(peer, rail)].receive(), bytes)
            }
            Action::Reduce { .. } => self.work(self.network.reduce(bytes)),
            Action::Copy { .. } => self.work(self.network.copy(bytes)),
        }
    }

    fn work(&self, seconds: f64) -> State {
        self.actor.sleep_for(seconds);
        State::Complete
    }

    fn complete(&self, state: &mut State) {
        match std::mem::replace(state, State::Complete) {
            State::Leaves(date) => self.actor.sleep_until(date),
            State::Arrives(arrival, bytes) => {
                arrival.wait();
                self.actor.sleep_for(self.network.cost(Level::Within, bytes).receive);
            }
            State::Complete => {}
        }
    }
}

/// The name of the box for the messages of one rank to another.
fn channel(from: u32, to: u32, rail: u32) -> String {
    format!("{from}-{to}-{rail}")
}
