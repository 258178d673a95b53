//! The event-driven engine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::costs::{Cost, Costs};
use super::events::{Event, Events};
use super::noise::Noise;
use super::program::{Kind, NONE, Program};
use super::shared::{Message, SharedPort};
use super::{Observer, SimulateError, Time};
use crate::network::{Level, Network, Overheads, ReceivePort};

/// The memory of simulations, used again for each.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    costs: Costs,
    events: Events,
    /// Operations to be posted at this moment, the first of the first rank on top.
    ready: BinaryHeap<Reverse<u32>>,
    waits: Vec<u32>,
    /// Of a receive: where its message is.
    sides: Vec<Side>,
    send_ports: Vec<Time>,
    receive_ports: Vec<Time>,
    shared_ports: Vec<SharedPort>,
    processors: Vec<Processor>,
    /// When each rank completed its last operation so far.
    finish: Vec<Time>,
}

/// The processor of a rank.
#[derive(Clone, Debug, Default)]
struct Processor {
    /// From when on it is free.
    free: Time,
    /// The operations that wait for it, the first of the list on top.
    queue: BinaryHeap<Reverse<u32>>,
}

/// What has happened to a message on the side of its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Neither is the receive posted nor has anything arrived.
    Nothing,
    /// The receive is posted.
    Posted(Time),
    /// The message is there, the receive is not posted.
    Unexpected(Time),
    /// The request of a handshake is there, the receive is not posted.
    Requested,
    /// The message is there and the receive is posted: the times of both, and whether the message came first.
    Met { there: Time, posted: Time, unexpected: bool },
}

/// One simulation.
struct Run<'a, O> {
    engine: &'a mut Engine,
    program: &'a Program,
    network: &'a Network,
    noise: Noise,
    observer: &'a mut O,
    receive: ReceivePort,
    overheads: Overheads,
    rails: usize,
    ranks_per_node: u64,
    /// The number of ports of nodes; those of ranks, for messages within a node, come behind them.
    node_ports: usize,
    left: usize,
}

impl Engine {
    /// Simulates a program on a network and returns when the last rank is done.
    ///
    /// # Errors
    ///
    /// The ranks wait for each other, or the time is beyond what can be counted.
    pub fn run(
        &mut self,
        program: &Program,
        network: &Network,
        noise: Noise,
        observer: &mut impl Observer,
    ) -> Result<Time, SimulateError> {
        let description = network.description();
        let comm_size = program.comm_size();
        let rails = description.rails as usize;
        let nodes = (comm_size as u64).div_ceil(description.ranks_per_node) as usize;
        self.clear(program, network, nodes * rails + comm_size);
        let mut run = Run {
            program,
            network,
            noise,
            observer,
            receive: description.receive,
            overheads: description.overheads,
            rails,
            ranks_per_node: description.ranks_per_node,
            node_ports: nodes * rails,
            left: program.ops.len(),
            engine: self,
        };
        run.all()?;
        let last = self.finish.iter().copied().max().unwrap_or_default();
        let last = if noise.runs == 0.0 { last } else { scaled(last, noise.run_factor()) };
        if last == Time::MAX { Err(SimulateError::TooLong) } else { Ok(last) }
    }

    /// Returns when each rank was done in the last simulation, without the noise of the run.
    pub fn finish(&self) -> &[Time] {
        &self.finish
    }

    fn clear(&mut self, program: &Program, network: &Network, ports: usize) {
        self.costs.load(network, program);
        self.events.clear(LANES * ports);
        self.ready.clear();
        self.waits.clear();
        self.waits.extend(program.ops.iter().map(|op| op.waits));
        self.sides.clear();
        self.sides.resize(program.ops.len(), Side::Nothing);
        let fill = |times: &mut Vec<Time>, count| {
            times.clear();
            times.resize(count, Time::ZERO);
        };
        fill(&mut self.send_ports, ports);
        fill(&mut self.receive_ports, ports);
        for processor in &mut self.processors {
            processor.free = Time::ZERO;
            processor.queue.clear();
        }
        self.processors.resize_with(program.comm_size(), Processor::default);
        fill(&mut self.finish, program.comm_size());
        if network.description().receive == ReceivePort::Shared {
            self.shared_ports.resize_with(ports.max(self.shared_ports.len()), SharedPort::default);
            self.shared_ports.iter_mut().for_each(SharedPort::clear);
        }
    }
}

impl<O: Observer> Run<'_, O> {
    fn all(&mut self) -> Result<(), SimulateError> {
        let first = (0..self.program.ops.len() as u32).filter(|&op| self.program.ops[op as usize].waits == 0);
        self.engine.ready.extend(first.map(Reverse));
        self.post_ready(Time::ZERO);
        while let Some((now, event, subject)) = self.engine.events.pop() {
            if now == Time::MAX {
                return Err(SimulateError::TooLong);
            }
            self.happen(now, event, subject);
            self.post_ready(now);
        }
        if self.left == 0 {
            return Ok(());
        }
        let stuck = (0..self.program.ops.len() as u32).find(|&op| self.engine.waits[op as usize] != DONE);
        Err(stuck.map_or(SimulateError::TooLong, |op| SimulateError::Stuck(self.program.place(op))))
    }

    fn happen(&mut self, now: Time, event: Event, subject: u32) {
        match event {
            Event::Complete => self.complete(now, subject),
            Event::Leave => self.leave(now, subject),
            Event::Arrive => self.arrive(now, subject, Event::Deliver),
            Event::ArriveRequest => self.arrive(now, subject, Event::DeliverRequest),
            Event::ArriveReply => self.arrive(now, subject, Event::DeliverReply),
            Event::Deliver => self.deliver(now, subject),
            Event::DeliverRequest => self.deliver_request(now, subject),
            Event::DeliverReply => self.claim(now, subject),
            Event::Free => self.serve_next(now, subject),
            Event::PortNext => {
                if let Some((message, next)) = self.engine.shared_ports[subject as usize].leave(now) {
                    if let Some(next) = next {
                        let lane = LANES * subject as usize + 2;
                        self.engine.events.push_in(lane, next, Event::PortNext, subject);
                    }
                    self.happen(now, message.event, message.op);
                }
            }
        }
    }

    /// Posts the operations that nothing holds back any more, and those that this lets go.
    fn post_ready(&mut self, now: Time) {
        while let Some(Reverse(op)) = self.engine.ready.pop() {
            self.post(now, op);
        }
    }

    fn post(&mut self, now: Time, op: u32) {
        self.observer.posted(self.program.place(op), now);
        let this = self.program.ops[op as usize];
        if this.next != NONE {
            self.release(this.next);
        }
        match this.kind {
            Kind::Send if self.engine.costs.is_rendezvous(this.size) => {
                self.send_handshake(now, op, Event::ArriveRequest);
            }
            Kind::Send | Kind::Reduce | Kind::Copy => self.claim(now, op),
            Kind::Receive => match self.engine.sides[op as usize] {
                Side::Unexpected(there) => {
                    self.engine.sides[op as usize] = Side::Met { there, posted: now, unexpected: true };
                    self.claim(now, op);
                }
                Side::Requested => {
                    self.engine.sides[op as usize] = Side::Posted(now);
                    self.send_handshake(now, op, Event::ArriveReply);
                }
                _ => self.engine.sides[op as usize] = Side::Posted(now),
            },
        }
    }

    /// Lets an operation wait for one thing less.
    fn release(&mut self, op: u32) {
        let waits = &mut self.engine.waits[op as usize];
        *waits -= 1;
        if *waits == 0 {
            self.engine.ready.push(Reverse(op));
        }
    }

    /// Lets an operation have the processor of its rank: at once if it is free, else in the order of the list.
    fn claim(&mut self, now: Time, op: u32) {
        let duration = self.duration(op);
        let rank = self.program.ops[op as usize].rank;
        let processor = &mut self.engine.processors[rank as usize];
        if duration == Time::ZERO || (processor.free <= now && processor.queue.is_empty()) {
            self.start(now, op, duration);
            return;
        }
        processor.queue.push(Reverse(op));
        if processor.queue.len() == 1 {
            // Behind whatever completes at that moment and may let go what stands earlier in the list.
            self.engine.events.push(processor.free, Event::Free, rank);
        }
    }

    fn serve_next(&mut self, now: Time, rank: u32) {
        let Some(Reverse(op)) = self.engine.processors[rank as usize].queue.pop() else { return };
        self.start(now, op, self.duration(op));
        let processor = &self.engine.processors[rank as usize];
        if !processor.queue.is_empty() {
            self.engine.events.push(processor.free, Event::Free, rank);
        }
    }

    /// Returns how long an operation keeps the processor busy.
    fn duration(&self, op: u32) -> Time {
        let this = self.program.ops[op as usize];
        let costs = &self.engine.costs;
        let overhead =
            |overhead: Time| if self.overheads == Overheads::Ignored { Time::ZERO } else { overhead };
        match (this.kind, self.engine.sides[op as usize]) {
            (Kind::Send, _) => overhead(self.cost(op).send),
            (Kind::Receive, Side::Met { unexpected: true, .. }) => {
                overhead(self.cost(op).receive).after(costs.copy(this.size))
            }
            (Kind::Receive, _) => overhead(self.cost(op).receive),
            (Kind::Reduce, _) => costs.reduce(this.size),
            (Kind::Copy, _) => costs.copy(this.size),
        }
    }

    /// Begins what keeps the processor busy.
    fn start(&mut self, now: Time, op: u32, duration: Time) {
        let this = self.program.ops[op as usize];
        let inside = self.overheads == Overheads::Inside;
        let free = self.engine.processors[this.rank as usize].free;
        let (event, happens, until) = match (this.kind, self.engine.sides[op as usize]) {
            (Kind::Send, _) if inside => (Event::Leave, now, now.after(duration)),
            (Kind::Send, _) => (Event::Leave, now.after(duration), now.after(duration)),
            (Kind::Receive, Side::Met { there, posted, unexpected: false }) if inside => {
                // The overhead lies within the arrival as far as the processor was free and the receive was posted.
                let begin = there.before(duration).max(posted).max(free);
                let done = now.max(begin.after(duration));
                (Event::Complete, done, done)
            }
            _ => (Event::Complete, now.after(duration), now.after(duration)),
        };
        if duration > Time::ZERO {
            self.engine.processors[this.rank as usize].free = until;
        }
        if happens == now { self.happen(now, event, op) } else { self.engine.events.push(happens, event, op) }
    }

    /// Lets a message enter the queue of its send port.
    fn leave(&mut self, now: Time, op: u32) {
        let Cost { latency, .. } = self.cost(op);
        let gap = self.gap(op);
        let this = self.program.ops[op as usize];
        let port = self.port(op, this.rank);
        let begin = self.through_send_port(now, port, gap);
        self.observer.sent(self.program.place(op), begin, begin.after(gap));
        self.engine.events.push_in(LANES * port, begin.after(latency), Event::Arrive, op);
        let gone = begin.after(gap);
        if self.program.dependents(op).is_empty() {
            // Nobody waits for it: only its time counts.
            self.finish(gone, op);
        } else {
            self.engine.events.push_in(LANES * port + 1, gone, Event::Complete, op);
        }
    }

    /// Sends the request or the reply of a handshake: a byte that no processor is busy with.
    fn send_handshake(&mut self, now: Time, op: u32, event: Event) {
        let this = self.program.ops[op as usize];
        let Cost { latency, gap, .. } = self.engine.costs.handshake(self.level(op));
        let gap = self.noisy(gap, op);
        let port = self.port(op, this.rank);
        let begin = self.through_send_port(now, port, gap);
        self.engine.events.push_in(LANES * port, begin.after(latency), event, this.other);
    }

    fn through_send_port(&mut self, now: Time, port: usize, gap: Time) -> Time {
        let free = &mut self.engine.send_ports[port];
        let begin = now.max(*free);
        *free = begin.after(gap);
        begin
    }

    /// Lets a message, request or reply enter the receive port of its other side.
    fn arrive(&mut self, now: Time, subject: u32, then: Event) {
        // A message is known by its send; a request or reply by the operation that it goes to.
        let (op, gap) = match then {
            Event::Deliver => (self.program.ops[subject as usize].other, self.gap(subject)),
            _ => {
                let gap = self.engine.costs.handshake(self.level(subject)).gap;
                (subject, self.noisy(gap, self.program.ops[subject as usize].other))
            }
        };
        let port = self.port(op, self.program.ops[op as usize].rank);
        match self.receive {
            ReceivePort::Fifo => {
                let free = &mut self.engine.receive_ports[port];
                let end = now.max(*free).after(gap);
                *free = end;
                self.engine.events.push_in(LANES * port + 2, end, then, op);
            }
            ReceivePort::Shared => {
                let message = Message { event: then, op, channel: self.program.ops[op as usize].channel };
                if let Some(next) = self.engine.shared_ports[port].enter(now, gap, message) {
                    self.engine.events.push_in(LANES * port + 2, next, Event::PortNext, port as u32);
                }
            }
        }
    }

    /// A message has passed the receive port.
    fn deliver(&mut self, now: Time, op: u32) {
        if let Side::Posted(posted) = self.engine.sides[op as usize] {
            self.engine.sides[op as usize] = Side::Met { there: now, posted, unexpected: false };
            self.claim(now, op);
        } else {
            self.engine.sides[op as usize] = Side::Unexpected(now);
        }
    }

    fn deliver_request(&mut self, now: Time, op: u32) {
        match self.engine.sides[op as usize] {
            Side::Posted(_) => self.send_handshake(now, op, Event::ArriveReply),
            _ => self.engine.sides[op as usize] = Side::Requested,
        }
    }

    fn complete(&mut self, now: Time, op: u32) {
        self.finish(now, op);
        for dependent in self.program.dependents(op) {
            self.release(self.program.dependents[dependent]);
        }
    }

    fn finish(&mut self, now: Time, op: u32) {
        self.observer.completed(self.program.place(op), now);
        let finish = &mut self.engine.finish[self.program.ops[op as usize].rank as usize];
        *finish = now.max(*finish);
        self.engine.waits[op as usize] = DONE;
        self.left -= 1;
    }

    fn level(&self, op: u32) -> Level {
        let this = self.program.ops[op as usize];
        let peer = self.program.ops[this.other as usize].rank;
        self.network.level(u64::from(this.rank), u64::from(peer))
    }

    fn cost(&self, op: u32) -> Cost {
        self.engine.costs.message(self.program.ops[op as usize].size, self.level(op))
    }

    /// Returns how long the message of a send holds a port.
    fn gap(&self, send: u32) -> Time {
        self.noisy(self.cost(send).gap, send)
    }

    /// Returns a gap with the noise of the operation that sends.
    fn noisy(&self, gap: Time, sender: u32) -> Time {
        if self.noise.messages == 0.0 { gap } else { scaled(gap, self.noise.message_factor(sender)) }
    }

    /// Returns the port of a message on the side of a rank: that of the rank's node and rail or, for a message within the
    /// node, the rank's own.
    fn port(&self, op: u32, rank: u32) -> usize {
        let this = self.program.ops[op as usize];
        let peer = self.program.ops[this.other as usize].rank;
        // Most networks have one rank and one rail a node, and divisions are slow.
        let node = |rank: u32| {
            if self.ranks_per_node == 1 {
                rank as usize
            } else {
                (u64::from(rank) / self.ranks_per_node) as usize
            }
        };
        if self.ranks_per_node > 1 && node(rank) == node(peer) {
            self.node_ports + rank as usize
        } else if self.rails == 1 {
            node(rank)
        } else {
            node(rank) * self.rails + usize::from(this.rail) % self.rails
        }
    }
}

/// The lanes of a port: what leaves it for the network, the sends that are complete, and what has passed it on arrival.
const LANES: usize = 3;

/// The `waits` of an operation that is complete.
const DONE: u32 = u32::MAX;

fn scaled(time: Time, factor: f64) -> Time {
    Time::from_picoseconds((time.picoseconds() as f64 * factor).round() as u64)
}
