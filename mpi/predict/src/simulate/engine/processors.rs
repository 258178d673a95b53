//! The work of the ranks' processors.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{LANES, Run, Side};
use crate::network::Overheads;
use crate::simulate::events::{Event, What};
use crate::simulate::program::Kind;
use crate::simulate::{Observer, Time};

#[derive(Clone, Debug, Default)]
pub(super) struct Processor {
    free: Time,
    /// The operations that wait for it, the first of the list on top.
    queue: BinaryHeap<Reverse<u32>>,
}

impl Processor {
    pub(super) fn clear(&mut self) {
        self.free = Time::ZERO;
        self.queue.clear();
    }
}

impl<O: Observer> Run<'_, O> {
    /// Gives an operation the processor of its rank: at once if it is free, otherwise in the order of the list.
    pub(super) fn claim(&mut self, now: Time, op: u32, duration: Time) {
        let rank = self.op(op).rank;
        let processor = &mut self.engine.processors[rank as usize];
        if duration == Time::ZERO || (processor.free <= now && processor.queue.is_empty()) {
            self.start(now, op, duration);
            return;
        }
        processor.queue.push(Reverse(op));
        if processor.queue.len() == 1 {
            // Wait for everything that completes at that moment and may release operations that stand earlier in the list.
            let free = processor.free;
            self.await_processor(rank, free);
        }
    }

    pub(super) fn serve_next(&mut self, now: Time, rank: u32) {
        let Some(Reverse(op)) = self.engine.processors[rank as usize].queue.pop() else { return };
        self.start(now, op, self.duration(op));
        let processor = &self.engine.processors[rank as usize];
        if !processor.queue.is_empty() {
            self.await_processor(rank, processor.free);
        }
    }

    /// Returns how long an operation keeps the processor busy.
    pub(super) fn duration(&self, op: u32) -> Time {
        let this = self.op(op);
        let costs = &self.engine.costs;
        match this.kind {
            Kind::Send => self.overhead(self.cost(this).send),
            Kind::Receive => {
                let overhead = self.overhead(self.cost(this).receive);
                match self.engine.sides[op as usize] {
                    Side::Late => overhead.after(costs.copy(this.size)),
                    _ => overhead,
                }
            }
            Kind::Reduce => costs.reduce(this.size),
            Kind::Copy => costs.copy(this.size),
        }
    }

    pub(super) fn overhead(&self, overhead: Time) -> Time {
        if self.description.overheads == Overheads::Ignored { Time::ZERO } else { overhead }
    }

    /// Starts the work of an operation.
    fn start(&mut self, now: Time, op: u32, duration: Time) {
        let this = self.op(op);
        let (kind, rank) = (this.kind, this.rank);
        let inside = self.description.overheads == Overheads::Inside;
        let free = self.engine.processors[rank as usize].free;
        let (event, happens, until) = match (kind, self.engine.sides[op as usize]) {
            (Kind::Send, _) if inside => (Event::Leave, now, now.after(duration)),
            (Kind::Send, _) => (Event::Leave, now.after(duration), now.after(duration)),
            (Kind::Receive, Side::Expected(earliest)) if inside => {
                // The overhead lies within the arrival to the extent that the processor was free and the receive was posted.
                let done = now.max(earliest.max(free).after(duration));
                (Event::Complete, done, done)
            }
            _ => (Event::Complete, now.after(duration), now.after(duration)),
        };
        if duration > Time::ZERO {
            self.engine.processors[rank as usize].free = until;
        }
        let what = What::new(event, op);
        let lane = LANES * self.ports + rank as usize;
        if happens == now { self.happen(now, what) } else { self.schedule(now, lane, happens, what, None) }
    }

    /// Schedules the moment at which a rank's processor is free.
    fn await_processor(&mut self, rank: u32, free: Time) {
        self.engine.events.push_in(LANES * self.ports + rank as usize, free, What::new(Event::Free, rank));
    }
}
