//! What will happen, and when.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

use super::Time;

/// What happens at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// An operation is complete.
    Complete = 0,
    /// The processor hands a message over to the send port.
    Leave = 1,
    /// A message reaches the receive port.
    Arrive = 2,
    /// A message has passed the receive port.
    Deliver = 3,
    /// The request of a handshake reaches the receive port, or has passed it.
    ArriveRequest = 4,
    DeliverRequest = 5,
    /// The reply of a handshake reaches the receive port, or has passed it.
    ArriveReply = 6,
    DeliverReply = 7,
    /// The message that is next in a shared port has passed it.
    PortNext = 8,
    /// The processor of a rank is free for what waits for it.
    Free = 9,
}

impl Event {
    const ALL: [Self; 10] = [
        Self::Complete,
        Self::Leave,
        Self::Arrive,
        Self::Deliver,
        Self::ArriveRequest,
        Self::DeliverRequest,
        Self::ArriveReply,
        Self::DeliverReply,
        Self::PortNext,
        Self::Free,
    ];
}

/// Events in order of time; those of one moment in the order in which they were foreseen.
///
/// What is foreseen of one port or processor happens in the order in which it is foreseen, as a rule. Such events stand in
/// a lane, and only the first of a lane is in the heap: it holds about as many events as there are ports, not as many as
/// there are messages under way. What breaks the rule goes to the heap at once, so the order never depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<(Key, u32)>>,
    lanes: Vec<Lane>,
    foreseen: u32,
}

/// Time, number, kind and subject of an event, in one number that sorts that way.
type Key = u128;

#[derive(Clone, Debug, Default)]
struct Lane {
    /// The time of the last event; without one in the heap, there is none.
    last: Option<Time>,
    /// The events behind the one in the heap.
    behind: VecDeque<Key>,
}

/// The lane of events outside lanes.
const NONE: u32 = u32::MAX;

impl Events {
    /// Forgets all events; those to come are in as many lanes.
    pub(super) fn clear(&mut self, lanes: usize) {
        self.heap.clear();
        self.lanes.resize_with(lanes.max(self.lanes.len()), Lane::default);
        for lane in &mut self.lanes[..lanes] {
            lane.last = None;
            lane.behind.clear();
        }
        self.foreseen = 0;
    }

    /// Foresees that something happens to a subject, an operation, a port or a rank.
    pub(super) fn push(&mut self, time: Time, event: Event, subject: u32) {
        let key = self.key(time, event, subject);
        self.heap.push(Reverse((key, NONE)));
    }

    /// Foresees what does not happen before the last event of its lane, as a rule.
    pub(super) fn push_in(&mut self, lane: usize, time: Time, event: Event, subject: u32) {
        let key = self.key(time, event, subject);
        let Lane { last, behind } = &mut self.lanes[lane];
        match last {
            None => self.heap.push(Reverse((key, lane as u32))),
            Some(last) if *last <= time => behind.push_back(key),
            Some(_) => return self.heap.push(Reverse((key, NONE))),
        }
        *last = Some(time);
    }

    /// Returns what happens next.
    pub(super) fn pop(&mut self) -> Option<(Time, Event, u32)> {
        let mut top = self.heap.peek_mut()?;
        let Reverse((key, lane)) = *top;
        match self.lanes.get_mut(lane as usize) {
            Some(Lane { last, behind }) => match behind.pop_front() {
                Some(next) => top.0.0 = next,
                None => {
                    *last = None;
                    PeekMut::pop(top);
                }
            },
            None => {
                PeekMut::pop(top);
            }
        }
        let what = key as u32;
        let event = Event::ALL[(what >> 28) as usize];
        Some((Time::from_picoseconds((key >> 64) as u64), event, what & 0x0FFF_FFFF))
    }

    fn key(&mut self, time: Time, event: Event, subject: u32) -> Key {
        let what = u128::from((event as u32) << 28 | subject);
        let key = u128::from(time.picoseconds()) << 64 | u128::from(self.foreseen) << 32 | what;
        self.foreseen += 1;
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_do_not_change_the_order(steps in prop::collection::vec((0..4_usize, 0..20_u64, 0..3_u8), 0..300)) {
            let (mut one, mut other) = (Events::default(), Events::default());
            one.clear(3);
            other.clear(0);
            for (subject, (lane, time, pops)) in (0..).zip(steps) {
                let time = Time::from_picoseconds(time);
                match lane {
                    3 => one.push(time, Event::Free, subject),
                    _ => one.push_in(lane, time, Event::Free, subject),
                }
                other.push(time, Event::Free, subject);
                for _ in 0..pops {
                    prop_assert_eq!(one.pop(), other.pop());
                }
            }
            while let Some(event) = other.pop() {
                prop_assert_eq!(one.pop(), Some(event));
            }
            prop_assert_eq!(one.pop(), None);
        }
    }
}
