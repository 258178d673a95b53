//! The path of messages through the ports.

use super::{LANES, Run, Side, scaled};
use crate::network::{Level, ReceivePort};
use crate::simulate::costs::Cost;
use crate::simulate::events::{Event, What};
use crate::simulate::program::Op;
use crate::simulate::shared_port::Message;
use crate::simulate::{Observer, Time};

impl<O: Observer> Run<'_, O> {
    /// Puts a message in the queue of its send port.
    pub(super) fn leave(&mut self, now: Time, op: u32) {
        let this = self.op(op);
        let Cost { latency, gap, .. } = *self.cost(this);
        let gap = self.noisy(gap, op);
        let port = self.port(this);
        let begin = self.through_send_port(now, port, gap);
        let gone = begin.after(gap);
        if O::LOOKS {
            self.observer.sent(self.program.place(op), begin, gone);
        }
        self.schedule(now, LANES * port, begin.after(latency), What::new(Event::Arrive, op), Some(this.peer));
        if self.program.dependents(op).is_empty() {
            // Nothing waits for it; only its time counts.
            self.finish(gone, op);
        } else {
            self.schedule(now, LANES * port + 1, gone, What::new(Event::Complete, op), None);
        }
    }

    /// Sends the request or the reply of a handshake: one byte, which keeps no processor busy.
    pub(super) fn send_handshake(&mut self, now: Time, op: u32, event: Event) {
        let this = self.op(op);
        let Cost { latency, gap, .. } = self.engine.costs.handshake(self.level(this));
        let gap = self.noisy(gap, op);
        let (port, what) = (self.port(this), What::new(event, this.other));
        let begin = self.through_send_port(now, port, gap);
        self.schedule(now, LANES * port, begin.after(latency), what, Some(this.peer));
    }

    fn through_send_port(&mut self, now: Time, port: usize, gap: Time) -> Time {
        let free = &mut self.engine.send_ports[port];
        let begin = now.max(*free);
        *free = begin.after(gap);
        begin
    }

    /// Puts the message of a send in the queue of the receive port at the other side.
    pub(super) fn arrive(&mut self, now: Time, send: u32) {
        let this = self.op(send);
        let gap = self.noisy(self.cost(this).gap, send);
        let what = What::new(Event::Deliver, this.other);
        let port = self.port(self.op(this.other));
        self.enter_receive_port(now, port, 2 * this.channel, gap, what);
    }

    /// Puts a request or reply in the queue of the receive port of the operation that it is for.
    pub(super) fn arrive_handshake(&mut self, now: Time, op: u32, then: Event) {
        let this = self.op(op);
        let gap = self.noisy(self.engine.costs.handshake(self.level(this)).gap, this.other);
        let channel = 2 * this.channel + u32::from(then == Event::DeliverReply);
        self.enter_receive_port(now, self.port(this), channel, gap, What::new(then, op));
    }

    fn enter_receive_port(&mut self, now: Time, port: usize, channel: u32, gap: Time, what: What) {
        let engine = &mut *self.engine;
        match self.description.receive {
            ReceivePort::Fifo => {
                let free = &mut engine.receive_ports[port];
                let end = now.max(*free).after(gap);
                *free = end;
                self.schedule(now, LANES * port + 2, end, what, None);
            }
            ReceivePort::Shared => {
                let message = Message { what, channel };
                let next = engine.shared_ports[port].enter(now, gap, message, &mut engine.channels);
                if let Some(next) = next {
                    self.schedule(now, LANES * port + 2, next, What::new(Event::PortNext, port as u32), None);
                }
            }
        }
    }

    /// Lets the next message of a shared port pass, if it is still the next.
    pub(super) fn pass_shared_port(&mut self, now: Time, port: u32) {
        let engine = &mut *self.engine;
        let shared = &mut engine.shared_ports[port as usize];
        let Some((what, next)) = shared.leave(now, &mut engine.channels) else { return };
        if let Some(next) = next {
            self.schedule(now, LANES * port as usize + 2, next, What::new(Event::PortNext, port), None);
        }
        self.happen(now, what);
    }

    /// Handles a message that has passed the receive port.
    pub(super) fn deliver(&mut self, now: Time, op: u32) {
        if let Side::Posted(posted) = self.engine.sides[op as usize] {
            let overhead = self.overhead(self.cost(self.op(op)).receive);
            self.engine.sides[op as usize] = Side::Expected(now.before(overhead).max(posted));
            self.claim(now, op, overhead);
        } else {
            self.engine.sides[op as usize] = Side::Unexpected;
        }
    }

    pub(super) fn deliver_request(&mut self, now: Time, op: u32) {
        match self.engine.sides[op as usize] {
            Side::Posted(_) => self.send_handshake(now, op, Event::ArriveReply),
            _ => self.engine.sides[op as usize] = Side::Requested,
        }
    }

    fn level(&self, op: &Op) -> Level {
        if self.has_one_level {
            Level::Within
        } else {
            self.network.level(self.place(op.rank), self.place(op.peer))
        }
    }

    fn place(&self, rank: u32) -> u64 {
        self.network.place(u64::from(rank), self.program.comm_size() as u64)
    }

    pub(super) fn cost(&self, op: &Op) -> &Cost {
        self.engine.costs.message(op.size, self.level(op))
    }

    /// Returns a gap with the noise of the sending operation.
    fn noisy(&self, gap: Time, sender: u32) -> Time {
        if self.noise.messages == 0.0 { gap } else { scaled(gap, self.noise.message_factor(sender)) }
    }

    /// Returns the port of a message at its operation's side: that of the rank's node and rail or, for messages within the node, that of the
    /// rank itself.
    fn port(&self, &Op { rank, peer, rail, .. }: &Op) -> usize {
        // Most networks have one rank and one rail per node, and divisions are slow.
        let node = |rank: u32| match self.description.ranks_per_node {
            1 => rank as usize,
            of_node => (self.place(rank) / of_node) as usize,
        };
        if self.description.ranks_per_node > 1 && node(rank) == node(peer) {
            self.node_ports + rank as usize
        } else if self.rails == 1 {
            node(rank)
        } else {
            node(rank) * self.rails + usize::from(rail) % self.rails
        }
    }
}
