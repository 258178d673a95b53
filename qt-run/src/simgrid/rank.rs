//! A rank of a schedule as an actor.

use std::collections::{BTreeMap, VecDeque};

use qtdec_mpi::network::{Level, MessageCost, Network};
use qtdec_mpi::schedule::{Action, Algorithm, Operation};

use super::library::{Actor, Arrival, Inbox, Outbox};
use crate::agenda::Agenda;
use crate::points::Point;

/// A rank that takes part in consecutive points.
pub(super) struct Rank<'a> {
    actor: &'a Actor<'a>,
    network: &'a Network,
    number: u32,
    inboxes: BTreeMap<Channel, Inbox>,
    outboxes: BTreeMap<Channel, Outbox>,
    /// The time from which the send port is free.
    port: f64,
    /// The receives that are posted and wait for their messages, in the order of each channel.
    posted: BTreeMap<Channel, VecDeque<u32>>,
    /// The first message of each channel that has posted receives.
    arrivals: Vec<Arrival>,
    /// The channels of these messages.
    arriving: Vec<Channel>,
}

/// A peer and a rail.
type Channel = (u32, u32);

impl<'a> Rank<'a> {
    pub(super) fn new(actor: &'a Actor<'a>, network: &'a Network, number: u32) -> Self {
        Self {
            actor,
            network,
            number,
            inboxes: BTreeMap::new(),
            outboxes: BTreeMap::new(),
            port: 0.0,
            posted: BTreeMap::new(),
            arrivals: Vec::new(),
            arriving: Vec::new(),
        }
    }

    /// Takes part in a point, and returns how long that took this rank, or 0 if the rank is not part of the point.
    pub(super) fn play(&mut self, point: &Point) -> f64 {
        let takes_part = self.number < point.request.comm_size();
        let built = takes_part.then(|| point.algorithm.rank(&point.request, self.number));
        let operations = match built {
            Some(Ok(schedule)) => schedule.operations,
            Some(Err(error)) => unreachable!("our own simulator has built this schedule: {error}"),
            None => Vec::new(),
        };
        self.open(&operations);
        // No rank sends before all have opened their boxes, and all begin at the same date.
        self.actor.meet();
        let start = self.actor.now();
        self.port = start;
        let mut agenda = Agenda::new(&operations);
        // The times at which the messages of operations have left the port.
        let mut left = vec![start; operations.len()];
        loop {
            while let Some(index) = agenda.post() {
                let operation = &operations[index as usize];
                let free = operation.after.iter().map(|&before| left[before as usize]).fold(start, f64::max);
                self.actor.sleep_until(free);
                if self.post(index, &operation.action) {
                    left[index as usize] = self.port;
                    agenda.complete(index);
                }
            }
            if self.arrivals.is_empty() {
                break;
            }
            let index = self.arrive();
            let bytes = operations[index as usize].action.bytes();
            self.actor.sleep_for(self.network.cost(Level::Within, bytes).receive);
            agenda.complete(index);
        }
        assert!(agenda.is_done(), "a valid schedule completes");
        self.actor.sleep_until(self.port);
        self.actor.now() - start
    }

    /// Opens the mailboxes of all channels from which the rank receives.
    fn open(&mut self, operations: &[Operation]) {
        for operation in operations {
            if let Action::Receive { peer, rail, .. } = operation.action {
                let (actor, number) = (self.actor, self.number);
                self.inboxes.entry((peer, rail)).or_insert_with(|| actor.inbox(&channel(peer, number, rail)));
            }
        }
    }

    /// Begins an operation, and returns whether it only needs to wait until its message has left.
    fn post(&mut self, index: u32, action: &Action) -> bool {
        let bytes = action.bytes();
        match *action {
            Action::Send { peer, rail, .. } => {
                let MessageCost { gap, send, .. } = self.network.cost(Level::Within, bytes);
                self.actor.sleep_for(send);
                self.actor.sleep_until(self.port);
                let (actor, number) = (self.actor, self.number);
                let outbox = self.outboxes.entry((peer, rail));
                let outbox = outbox.or_insert_with(|| actor.outbox(&channel(number, peer, rail)));
                outbox.send(bytes + self.network.description().header_bytes);
                self.port = self.actor.now() + gap;
            }
            Action::Receive { peer, rail, .. } => {
                let posted = self.posted.entry((peer, rail)).or_default();
                posted.push_back(index);
                if posted.len() == 1 {
                    self.ask((peer, rail));
                }
                return false;
            }
            Action::Reduce { .. } => self.actor.sleep_for(self.network.reduce(bytes)),
            Action::Copy { .. } => self.actor.sleep_for(self.network.copy(bytes)),
        }
        true
    }

    /// Requests the next message of a channel.
    fn ask(&mut self, channel: Channel) {
        self.arrivals.push(self.inboxes[&channel].receive());
        self.arriving.push(channel);
    }

    /// Waits for a message, and returns the operation that receives it.
    fn arrive(&mut self) -> u32 {
        let place = Arrival::wait_any(&mut self.arrivals);
        let channel = self.arriving.remove(place);
        let posted = self.posted.entry(channel).or_default();
        let index = posted.pop_front().expect("only channels with posted receives are queried");
        if !posted.is_empty() {
            self.ask(channel);
        }
        index
    }
}

/// Returns the name of the mailbox for the messages of one rank to another.
fn channel(from: u32, to: u32, rail: u32) -> String {
    format!("{from}-{to}-{rail}")
}
