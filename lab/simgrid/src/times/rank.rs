//! A rank of a schedule as an actor.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;

use qtdec_mpi_predict::network::{Level, MessageCost, Network};
use qtdec_mpi_schedule::{Action, Algorithm, Operation, Part};

use super::library::{Actor, Arrival, Inbox, Outbox};
use qtdec_mpi_run::execution::Execution;
use qtdec_mpi_run::transport::{Progress, Transport};
use qtdec_simgrid::points::Point;

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
        let left = vec![start; operations.len()];
        let done =
            Execution::new(&operations).run(&mut Play { rank: self, operations: &operations, left, start });
        assert_eq!(done, Ok(()), "a valid schedule completes");
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

/// A rank that takes part in a point.
struct Play<'p, 'a> {
    rank: &'p mut Rank<'a>,
    operations: &'p [Operation],
    /// The times at which the messages of operations have left the port.
    left: Vec<f64>,
    start: f64,
}

impl Play<'_, '_> {
    /// Waits until the messages of the operations that an operation waits for have left the port.
    fn wait_for_port(&self, operation: u32) {
        let after = &self.operations[operation as usize].after;
        let free = after.iter().map(|&before| self.left[before as usize]).fold(self.start, f64::max);
        self.rank.actor.sleep_until(free);
    }

    /// Ends an operation that only waits until its message has left.
    fn end(&mut self, operation: u32) -> Progress {
        self.left[operation as usize] = self.rank.port;
        Progress::Complete
    }
}

impl Transport for Play<'_, '_> {
    type Error = Infallible;

    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, Infallible> {
        self.wait_for_port(operation);
        let bytes = parts.iter().map(|part| part.bytes).sum();
        let rank = &mut *self.rank;
        let MessageCost { gap, send, .. } = rank.network.cost(Level::Within, bytes);
        rank.actor.sleep_for(send);
        rank.actor.sleep_until(rank.port);
        let (actor, number) = (rank.actor, rank.number);
        let outbox = rank.outboxes.entry((peer, rail));
        let outbox = outbox.or_insert_with(|| actor.outbox(&channel(number, peer, rail)));
        outbox.send(bytes + rank.network.description().header_bytes);
        rank.port = rank.actor.now() + gap;
        Ok(self.end(operation))
    }

    fn receive(
        &mut self,
        operation: u32,
        peer: u32,
        rail: u32,
        _parts: &[Part],
    ) -> Result<Progress, Infallible> {
        self.wait_for_port(operation);
        let posted = self.rank.posted.entry((peer, rail)).or_default();
        posted.push_back(operation);
        if posted.len() == 1 {
            self.rank.ask((peer, rail));
        }
        Ok(Progress::UnderWay)
    }

    fn reduce(&mut self, operation: u32, _parts: &[Part], into: Part) -> Result<Progress, Infallible> {
        self.wait_for_port(operation);
        self.rank.actor.sleep_for(self.rank.network.reduce(into.bytes));
        Ok(self.end(operation))
    }

    fn copy(&mut self, operation: u32, _parts: &[Part], into: Part) -> Result<Progress, Infallible> {
        self.wait_for_port(operation);
        self.rank.actor.sleep_for(self.rank.network.copy(into.bytes));
        Ok(self.end(operation))
    }

    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), Infallible> {
        if self.rank.arrivals.is_empty() {
            return Ok(());
        }
        let operation = self.rank.arrive();
        let bytes = self.operations[operation as usize].action.bytes();
        self.rank.actor.sleep_for(self.rank.network.cost(Level::Within, bytes).receive);
        complete.push(operation);
        Ok(())
    }
}

/// Returns the name of the mailbox for the messages of one rank to another.
fn channel(from: u32, to: u32, rail: u32) -> String {
    format!("{from}-{to}-{rail}")
}
