//! The event-driven engine.

mod messages;
mod processors;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::costs::Costs;
use super::events::{Event, Events, What};
use super::memory;
use super::noise::Noise;
use super::program::{Kind, NONE, Op, Program};
use super::shared_port::{Channels, SharedPort};
use super::{Observer, SimulateError, Skew, Time};
use crate::network::{Description, Network, ReceivePort};
use processors::Processor;

/// The memory of simulations, reused for each.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    costs: Costs,
    events: Events,
    /// Operations to be posted now, the first of the first rank on top.
    ready: BinaryHeap<Reverse<u32>>,
    waits: Vec<u32>,
    /// The state of each receive's message.
    sides: Vec<Side>,
    send_ports: Vec<Time>,
    receive_ports: Vec<Time>,
    shared_ports: Vec<SharedPort>,
    /// Messages and replies that follow others through a shared port.
    channels: Channels,
    processors: Vec<Processor>,
    /// The time at which each rank arrived, or completed its last operation so far.
    finish: Vec<Time>,
    /// When ranks arrive.
    skew: Skew,
}

/// The state of a message at its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The receive is not posted, and nothing has arrived.
    Nothing,
    Posted(Time),
    /// The message has arrived, but the receive is not posted.
    Unexpected,
    /// The request of a handshake has arrived, but the receive is not posted.
    Requested,
    /// The message arrived after the receive was posted. The time is the earliest at which the overhead within its arrival began.
    Expected(Time),
    /// The receive was posted after the message had arrived.
    Late,
}

struct Run<'a, O> {
    engine: &'a mut Engine,
    program: &'a Program,
    network: &'a Network,
    noise: Noise,
    observer: &'a mut O,
    description: &'a Description,
    rails: usize,
    /// The number of ports of nodes. The ports of ranks, for messages within a node, follow them.
    node_ports: usize,
    ports: usize,
    /// Whether messages between any two ranks have the same costs.
    has_one_level: bool,
    left: usize,
}

impl Engine {
    /// Creates an engine that simulates calls at which ranks arrive in a pattern.
    pub fn with_skew(skew: Skew) -> Self {
        Self { skew, ..Self::default() }
    }

    pub(super) fn set_skew(&mut self, skew: &Skew) {
        self.skew.clone_from(skew);
    }

    /// Simulates a program on a network and returns the time at which the last rank is done.
    ///
    /// # Errors
    ///
    /// Fails if ranks wait for each other, if the time is too long to count, if the ports of all ranks do not fit into
    /// memory, or if the pattern of arrivals has fewer ranks.
    pub fn run<O: Observer>(
        &mut self,
        program: &Program,
        network: &Network,
        noise: Noise,
        observer: &mut O,
    ) -> Result<Time, SimulateError> {
        let description = network.description();
        let comm_size = program.comm_size();
        if let Some(delays) = self.skew.ranks().filter(|&delays| delays < comm_size) {
            return Err(SimulateError::TooFewDelays { delays, comm_size });
        }
        memory::check(description, comm_size)?;
        let rails = description.rails as usize;
        let nodes = (comm_size as u64).div_ceil(description.ranks_per_node) as usize;
        let ports = nodes * rails + comm_size;
        self.clear(program, network, ports);
        let mut run = Run {
            program,
            network,
            noise,
            observer,
            description,
            rails,
            node_ports: nodes * rails,
            ports,
            has_one_level: description.levels().nth(1).is_none(),
            left: program.ops.len(),
            engine: self,
        };
        run.all()?;
        let last = self.finish.iter().copied().max().unwrap_or_default();
        let last = if noise.runs == 0.0 { last } else { scaled(last, noise.run_factor()) };
        if last == Time::MAX { Err(SimulateError::TooLong) } else { Ok(last) }
    }

    pub(super) fn is_punctual(&self) -> bool {
        self.skew.is_none()
    }

    /// Returns the time at which each rank was done in the last simulation, without the noise of the run.
    pub fn finish(&self) -> &[Time] {
        &self.finish
    }

    fn clear(&mut self, program: &Program, network: &Network, ports: usize) {
        self.costs.load(network, program);
        self.events.clear(LANES * ports + program.comm_size());
        self.ready.clear();
        self.waits.clear();
        self.waits.extend(program.ops.iter().map(|op| op.waits));
        self.sides.clear();
        self.sides.resize(program.ops.len(), Side::Nothing);
        for times in [&mut self.send_ports, &mut self.receive_ports] {
            times.clear();
            times.resize(ports, Time::ZERO);
        }
        self.processors.iter_mut().for_each(Processor::clear);
        self.processors.resize_with(program.comm_size(), Processor::default);
        let ranks = program.comm_size() as u32;
        let arrival = |rank| Time::from_seconds(self.skew.simulated(rank, ranks) / 1e6);
        self.finish.clear();
        self.finish.extend((0..ranks).map(arrival));
        if network.description().receive == ReceivePort::Shared {
            self.shared_ports.resize_with(ports.max(self.shared_ports.len()), SharedPort::default);
            self.shared_ports.iter_mut().for_each(SharedPort::clear);
            self.channels.clear(2 * program.channels);
        }
    }
}

impl<O: Observer> Run<'_, O> {
    fn all(&mut self) -> Result<(), SimulateError> {
        for rank in 0..self.program.comm_size() as u32 {
            match self.engine.finish[rank as usize] {
                Time::ZERO => self.begin(rank),
                arrival => {
                    let lane = LANES * self.ports + rank as usize;
                    self.schedule(Time::ZERO, lane, arrival, What::new(Event::Begin, rank), None);
                }
            }
        }
        self.post_ready(Time::ZERO);
        while let Some((now, what)) = self.engine.events.pop() {
            if now == Time::MAX {
                return Err(SimulateError::TooLong);
            }
            self.happen(now, what);
            self.post_ready(now);
        }
        if self.left == 0 {
            return Ok(());
        }
        let stuck = (0..self.program.ops.len() as u32).find(|&op| self.engine.waits[op as usize] != DONE);
        Err(stuck.map_or(SimulateError::TooLong, |op| SimulateError::Stuck(self.program.place(op))))
    }

    /// Schedules an event in a lane, at the rank that schedules it or at the receiver of its message.
    fn schedule(&mut self, now: Time, lane: usize, at: Time, what: What, to: Option<u32>) {
        if O::LOOKS {
            self.observer.foreseen(now, at, to);
        }
        self.engine.events.push_in(lane, at, what);
    }

    fn happen(&mut self, now: Time, what: What) {
        let subject = what.subject();
        match what.event() {
            Event::Complete => self.complete(now, subject),
            Event::Leave => self.leave(now, subject),
            Event::Arrive => self.arrive(now, subject),
            Event::Deliver => self.deliver(now, subject),
            Event::ArriveRequest => self.arrive_handshake(now, subject, Event::DeliverRequest),
            Event::DeliverRequest => self.deliver_request(now, subject),
            Event::ArriveReply => self.arrive_handshake(now, subject, Event::DeliverReply),
            Event::DeliverReply => self.claim(now, subject, self.duration(subject)),
            Event::PortNext => self.pass_shared_port(now, subject),
            Event::Free => self.serve_next(now, subject),
            Event::Begin => self.begin(subject),
        }
    }

    /// Lists the operations of a rank that wait for nothing, to be posted now.
    fn begin(&mut self, rank: u32) {
        let ops = self.program.ranks[rank as usize]..self.program.ranks[rank as usize + 1];
        let first = ops.filter(|&op| self.program.ops[op as usize].waits == 0);
        self.engine.ready.extend(first.map(Reverse));
    }

    /// Posts the operations that no longer wait for anything, and those that this releases.
    fn post_ready(&mut self, now: Time) {
        while let Some(Reverse(op)) = self.engine.ready.pop() {
            self.post(now, op);
        }
    }

    fn post(&mut self, now: Time, op: u32) {
        if O::LOOKS {
            self.observer.posted(self.program.place(op), now);
        }
        let this = self.op(op);
        if this.next != NONE {
            self.release(this.next);
        }
        match this.kind {
            Kind::Send if self.engine.costs.is_rendezvous(this.size) => {
                self.send_handshake(now, op, Event::ArriveRequest);
            }
            Kind::Send | Kind::Reduce | Kind::Copy => self.claim(now, op, self.duration(op)),
            Kind::Receive => match self.engine.sides[op as usize] {
                Side::Unexpected => {
                    self.engine.sides[op as usize] = Side::Late;
                    self.claim(now, op, self.duration(op));
                }
                Side::Requested => {
                    self.engine.sides[op as usize] = Side::Posted(now);
                    self.send_handshake(now, op, Event::ArriveReply);
                }
                _ => self.engine.sides[op as usize] = Side::Posted(now),
            },
        }
    }

    /// Decrements the number of things that an operation waits for.
    fn release(&mut self, op: u32) {
        let waits = &mut self.engine.waits[op as usize];
        *waits -= 1;
        if *waits == 0 {
            self.engine.ready.push(Reverse(op));
        }
    }

    fn complete(&mut self, now: Time, op: u32) {
        self.finish(now, op);
        for dependent in self.program.dependents(op) {
            self.release(self.program.dependents[dependent]);
        }
    }

    fn finish(&mut self, now: Time, op: u32) {
        if O::LOOKS {
            self.observer.completed(self.program.place(op), now);
        }
        let rank = self.op(op).rank;
        let finish = &mut self.engine.finish[rank as usize];
        *finish = now.max(*finish);
        self.engine.waits[op as usize] = DONE;
        self.left -= 1;
    }
}

impl<'a, O> Run<'a, O> {
    fn op(&self, op: u32) -> &'a Op {
        &self.program.ops[op as usize]
    }
}

/// The number of lanes of a port: messages that leave it for the network, completed sends, and arrivals that have passed it.
/// The lanes of processors follow them.
const LANES: usize = 3;

/// The value of `waits` for a completed operation.
const DONE: u32 = u32::MAX;

fn scaled(time: Time, factor: f64) -> Time {
    Time::from_picoseconds((time.picoseconds() as f64 * factor).round() as u64)
}
