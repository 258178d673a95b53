//! What will happen, and when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// Time, number, kind and subject of each, in one number that sorts that way.
    heap: BinaryHeap<Reverse<u128>>,
    foreseen: u32,
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
        self.foreseen = 0;
    }

    /// Foresees that something happens to a subject, an operation, a port or a rank.
    pub(super) fn push(&mut self, time: Time, event: Event, subject: u32) {
        let what = u128::from((event as u32) << 28 | subject);
        let key = u128::from(time.picoseconds()) << 64 | u128::from(self.foreseen) << 32 | what;
        self.foreseen += 1;
        self.heap.push(Reverse(key));
    }

    /// Returns what happens next.
    pub(super) fn pop(&mut self) -> Option<(Time, Event, u32)> {
        let Reverse(key) = self.heap.pop()?;
        let what = key as u32;
        let event = Event::ALL[(what >> 28) as usize];
        Some((Time::from_picoseconds((key >> 64) as u64), event, what & 0x0FFF_FFFF))
    }
}
