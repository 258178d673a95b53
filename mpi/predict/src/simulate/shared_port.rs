//! A receive port that simultaneous messages share.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::Time;
use super::events::What;

/// A port whose rate is shared equally by the channels that have a message in it; the messages of one channel follow
/// each other.
///
/// The port counts the work that a message would have received by now if it had been there from the start. A message is
/// finished when that count has grown by its gap. So advancing the time changes one number, not all messages.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedPort {
    /// The work done for each message so far, in picoseconds.
    work: f64,
    /// The time of the last update of `work`.
    at: Time,
    /// The messages in the port: the one that finishes first is on top. Ties go to the one that came first.
    flows: BinaryHeap<Reverse<Flow>>,
    entered: u32,
    /// The time at which the next message finishes, or the end of time if there is none.
    due: Option<Time>,
}

/// The work at which a message finishes, as bits that sort like the non-negative number; the message's number; the
/// message.
type Flow = (u64, u32, Message);

/// A message that enters a shared port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Message {
    /// The event when it finishes.
    pub(super) what: What,
    pub(super) channel: u32,
}

impl SharedPort {
    pub(super) fn clear(&mut self) {
        self.flows.clear();
        (self.work, self.at, self.entered, self.due) = (0.0, Time::ZERO, 0, None);
    }

    /// Adds a message. Returns the time at which the next one finishes, if that has changed.
    pub(super) fn enter(
        &mut self,
        now: Time,
        gap: Time,
        message: Message,
        channels: &mut Channels,
    ) -> Option<Time> {
        if !channels.enter(message, gap) {
            return None;
        }
        self.advance(now);
        self.begin(gap, message);
        self.foresee()
    }

    /// Removes the message that finishes now, if any, and returns the time at which the next one finishes.
    pub(super) fn leave(&mut self, now: Time, channels: &mut Channels) -> Option<(What, Option<Time>)> {
        if self.due != Some(now) {
            return None;
        }
        let Reverse((end, _, message)) = self.flows.pop()?;
        // Moments are whole picoseconds: use the work that the message took, not the work that the rounded time implies.
        (self.work, self.at) = (f64::from_bits(end), now);
        if let Some((gap, what)) = channels.leave(message.channel) {
            self.begin(gap, Message { what, ..message });
        }
        if self.flows.is_empty() {
            self.work = 0.0;
        }
        Some((message.what, self.foresee()))
    }

    fn begin(&mut self, gap: Time, message: Message) {
        let end = self.work + gap.picoseconds() as f64;
        self.flows.push(Reverse((end.to_bits(), self.entered, message)));
        self.entered += 1;
    }

    fn advance(&mut self, now: Time) {
        if !self.flows.is_empty() {
            self.work += now.before(self.at).picoseconds() as f64 / self.flows.len() as f64;
        }
        self.at = now;
    }

    fn foresee(&mut self) -> Option<Time> {
        self.due = self.flows.peek().map(|Reverse((end, ..))| {
            let left = (f64::from_bits(*end) - self.work).max(0.0) * self.flows.len() as f64;
            self.at.after(Time::from_picoseconds(left.round() as u64))
        });
        self.due
    }
}

/// The messages that wait behind another one of their channel.
#[derive(Clone, Debug, Default)]
pub(super) struct Channels {
    states: Vec<State>,
    queues: Vec<VecDeque<(Time, What)>>,
    /// The unused queues.
    spare: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No message is in the port.
    Idle,
    /// One message is in the port, and none is behind it.
    Single,
    /// One message is in the port, and others are in a queue behind it.
    Queue(u32),
}

impl Channels {
    pub(super) fn clear(&mut self, channels: usize) {
        self.states.clear();
        self.states.resize(channels, State::Idle);
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.spare.clear();
        self.spare.extend(0..self.queues.len() as u32);
    }

    /// Returns whether a message may enter its port now. Otherwise it is queued.
    fn enter(&mut self, message: Message, gap: Time) -> bool {
        let state = &mut self.states[message.channel as usize];
        let queue = match *state {
            State::Idle => {
                *state = State::Single;
                return true;
            }
            State::Single => {
                let queue = self.spare.pop().unwrap_or_else(|| {
                    self.queues.push(VecDeque::new());
                    self.queues.len() as u32 - 1
                });
                *state = State::Queue(queue);
                queue
            }
            State::Queue(queue) => queue,
        };
        self.queues[queue as usize].push_back((gap, message.what));
        false
    }

    /// Returns the message that enters the port when one of the channel has passed it.
    fn leave(&mut self, channel: u32) -> Option<(Time, What)> {
        let state = &mut self.states[channel as usize];
        let State::Queue(number) = *state else {
            *state = State::Idle;
            return None;
        };
        let queue = &mut self.queues[number as usize];
        let next = queue.pop_front();
        if queue.is_empty() {
            self.spare.push(number);
            *state = State::Single;
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::Event;
    use super::*;

    fn message(op: u32, channel: u32) -> Message {
        Message { what: What::new(Event::Deliver, op), channel }
    }

    fn channels() -> Channels {
        let mut channels = Channels::default();
        channels.clear(2);
        channels
    }

    /// Adds messages at their times and returns when each finishes.
    fn through(messages: &[(u64, u64, u32)]) -> Vec<(u32, u64)> {
        let (mut port, mut channels) = (SharedPort::default(), channels());
        let mut out = Vec::new();
        let mut due: Option<Time> = None;
        let mut entering = (0..).zip(messages).peekable();
        loop {
            let enters = entering.peek().map(|(_, (at, ..))| Time::from_picoseconds(*at));
            match (enters, due) {
                (Some(at), due_at) if due_at.is_none_or(|due_at| at <= due_at) => {
                    let (op, &(_, gap, channel)) = entering.next().unwrap();
                    let (gap, message) = (Time::from_picoseconds(gap), message(op, channel));
                    due = port.enter(at, gap, message, &mut channels).or(due);
                }
                (_, Some(at)) => {
                    let (what, next) = port.leave(at, &mut channels).unwrap();
                    out.push((what.subject(), at.picoseconds()));
                    due = next;
                }
                (_, None) => return out,
            }
        }
    }

    #[test]
    fn channels_share_the_rate_and_the_messages_of_one_do_not() {
        assert_eq!(through(&[(5, 100, 0)]), [(0, 105)]);
        assert_eq!(through(&[(0, 100, 0), (0, 100, 1)]), [(0, 200), (1, 200)]);
        // The second has half of the rate until the first finishes.
        assert_eq!(through(&[(0, 100, 0), (50, 100, 1)]), [(0, 150), (1, 200)]);
        assert_eq!(through(&[(0, 100, 0), (50, 10, 1)]), [(1, 70), (0, 110)]);
        assert_eq!(through(&[(0, 100, 0), (0, 100, 0), (0, 100, 1)]), [(0, 200), (2, 200), (1, 300)]);
        assert_eq!(through(&[(0, 0, 0), (0, 0, 1)]), [(0, 0), (1, 0)]);
    }

    #[test]
    fn what_was_foreseen_before_a_change_does_not_happen() {
        let (mut port, mut channels) = (SharedPort::default(), channels());
        let gap = Time::from_picoseconds(10);
        let old = port.enter(Time::ZERO, gap, message(0, 0), &mut channels).unwrap();
        port.enter(Time::ZERO, gap, message(1, 1), &mut channels);
        assert_eq!(port.leave(old, &mut channels), None);
    }
}
