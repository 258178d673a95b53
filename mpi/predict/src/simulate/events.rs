//! Scheduled events.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

use super::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
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
    /// The next message of a shared port has passed it.
    PortNext = 8,
    /// The processor of a rank is free for waiting operations.
    Free = 9,
    /// A rank arrives at the call.
    Begin = 10,
}

/// An event's kind, and the operation, port or rank concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct What(u32);

impl What {
    pub(super) fn new(event: Event, subject: u32) -> Self {
        Self((event as u32) << 28 | subject)
    }

    pub(super) fn event(self) -> Event {
        Event::ALL[(self.0 >> 28) as usize]
    }

    pub(super) fn subject(self) -> u32 {
        self.0 & 0x0FFF_FFFF
    }
}

impl Event {
    const ALL: [Self; 11] = [
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
        Self::Begin,
    ];
}

/// Events in order of time; simultaneous ones are in the order in which they were scheduled, but [`Event::Free`] comes last, in the
/// order of ranks: all that completes at a moment may release operations that come earlier in the list than those that wait.
///
/// The events of one port or processor usually happen in the order in which they are scheduled. Such events form
/// a lane, and only the first of a lane is in the heap. So the heap holds about as many events as there are ports, not as many as
/// there are messages in transit. An exception goes to the heap at once, so the order of events never depends on lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<Key>>,
    lanes: Vec<Lane>,
    /// The events in the heap that are in no lane; places of past events are reused.
    outside: Vec<What>,
    vacant: Vec<u32>,
    foreseen: u32,
}

/// Time, number and place of an event, packed into one number with the same order. A place after the lanes is in `outside`.
type Key = u128;

#[derive(Clone, Debug, Default)]
struct Lane {
    /// The time and number of the lane's last event, or `None` if none of its events is in the heap.
    last: Option<(Time, u32)>,
    /// The lane's event in the heap.
    first: Option<What>,
    /// The events behind it, each with time and number.
    behind: VecDeque<(Time, u32, What)>,
}

impl Events {
    /// Removes all events and sets the number of lanes.
    pub(super) fn clear(&mut self, lanes: usize) {
        self.heap.clear();
        self.lanes.resize_with(lanes.max(self.lanes.len()), Lane::default);
        for lane in &mut self.lanes {
            lane.last = None;
            lane.behind.clear();
        }
        self.outside.clear();
        self.vacant.clear();
        self.foreseen = 0;
    }

    /// Schedules an event, usually not before the last event of its lane.
    pub(super) fn push_in(&mut self, lane: usize, time: Time, what: What) {
        let number = self.number(what);
        let Lane { last, first, behind } = &mut self.lanes[lane];
        match last {
            None => {
                *first = Some(what);
                self.heap.push(Reverse(key(time, number, lane)));
            }
            Some(last) if *last <= (time, number) => behind.push_back((time, number, what)),
            Some(_) => return self.push_outside(time, number, what),
        }
        *last = Some((time, number));
    }

    /// Returns the next event.
    pub(super) fn pop(&mut self) -> Option<(Time, What)> {
        let mut top = self.heap.peek_mut()?;
        let Reverse(first) = *top;
        let (time, place) = (Time::from_picoseconds((first >> 64) as u64), first as u32 as usize);
        let Some(lane) = self.lanes.get_mut(place) else {
            PeekMut::pop(top);
            let place = place - self.lanes.len();
            self.vacant.push(place as u32);
            return Some((time, self.outside[place]));
        };
        let what = lane.first?;
        if let Some((time, number, next)) = lane.behind.pop_front() {
            lane.first = Some(next);
            top.0 = key(time, number, place);
        } else {
            lane.last = None;
            PeekMut::pop(top);
        }
        Some((time, what))
    }

    fn push_outside(&mut self, time: Time, number: u32, what: What) {
        let place = self.vacant.pop().map_or(self.outside.len(), |place| place as usize);
        match self.outside.get_mut(place) {
            Some(outside) => *outside = what,
            None => self.outside.push(what),
        }
        self.heap.push(Reverse(key(time, number, self.lanes.len() + place)));
    }

    /// Returns the position of an event among simultaneous ones.
    fn number(&mut self, what: What) -> u32 {
        if what.event() == Event::Free {
            return AFTER_ALL | what.subject();
        }
        let number = self.foreseen;
        self.foreseen += 1;
        number
    }
}

/// The bit of the numbers of events that come after all others of the same moment.
const AFTER_ALL: u32 = 1 << 31;

fn key(time: Time, number: u32, place: usize) -> Key {
    u128::from(time.picoseconds()) << 64 | u128::from(number) << 32 | place as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_do_not_change_the_order(steps in prop::collection::vec((0..4_usize, 0..20_u64, 0..3_u8, 0..3_u8), 0..300)) {
            let (mut one, mut other) = (Events::default(), Events::default());
            one.clear(3);
            other.clear(0);
            for (subject, (lane, time, kind, pops)) in (0..).zip(steps) {
                let event = if kind == 0 { Event::Free } else { Event::Complete };
                let (time, what) = (Time::from_picoseconds(time), What::new(event, subject));
                match lane {
                    3 => {
                        let number = one.number(what);
                        one.push_outside(time, number, what);
                    }
                    _ => one.push_in(lane, time, what),
                }
                let number = other.number(what);
                other.push_outside(time, number, what);
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
