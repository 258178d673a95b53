//! A receive port that the messages under way share.

use std::collections::VecDeque;

use super::Time;
use super::events::Event;

/// A port whose rate is shared equally by the channels that have a message in it; the messages of one channel follow
/// each other.
///
/// The port keeps the work that each message would have got by now had it been there all the time; a message is through
/// when that has grown by its gap. So time changes one number, not all messages.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedPort {
    /// The work done for each message so far, in picoseconds.
    work: f64,
    /// When `work` was brought up to date.
    at: Time,
    flows: Vec<(f64, Message)>,
    /// Messages behind another one of their channel.
    waiting: VecDeque<(Time, Message)>,
    /// When the next message is through; the end of time if there is none.
    due: Option<Time>,
}

/// A message in a shared port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// What happens when it is through.
    pub(super) event: Event,
    pub(super) op: u32,
    pub(super) channel: u32,
}

impl SharedPort {
    pub(super) fn clear(&mut self) {
        self.flows.clear();
        self.waiting.clear();
        (self.work, self.at, self.due) = (0.0, Time::ZERO, None);
    }

    /// Lets a message in. Returns when the next one is through, if that has changed.
    pub(super) fn enter(&mut self, now: Time, gap: Time, message: Message) -> Option<Time> {
        if self.flows.iter().any(|(_, flow)| flow.channel == message.channel) {
            self.waiting.push_back((gap, message));
            return None;
        }
        self.advance(now);
        self.flows.push((self.work + gap.picoseconds() as f64, message));
        self.foresee()
    }

    /// Lets out the message that is through, unless none is at this moment, and returns when the next one is.
    pub(super) fn leave(&mut self, now: Time) -> Option<(Message, Option<Time>)> {
        if self.due != Some(now) {
            return None;
        }
        let first = self.first()?;
        let (end, message) = self.flows.remove(first);
        // Moments are whole picoseconds: the work is what the message took, not what the rounded time says.
        (self.work, self.at) = (end, now);
        if let Some(behind) = self.waiting.iter().position(|(_, other)| other.channel == message.channel)
            && let Some((gap, next)) = self.waiting.remove(behind)
        {
            self.flows.push((self.work + gap.picoseconds() as f64, next));
        }
        if self.flows.is_empty() {
            self.work = 0.0;
        }
        Some((message, self.foresee()))
    }

    fn advance(&mut self, now: Time) {
        if !self.flows.is_empty() {
            self.work += now.before(self.at).picoseconds() as f64 / self.flows.len() as f64;
        }
        self.at = now;
    }

    /// The message that is through first; of equal ones that which came first.
    fn first(&self) -> Option<usize> {
        let ends = self.flows.iter().map(|(end, _)| *end).enumerate();
        ends.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(first, _)| first)
    }

    fn foresee(&mut self) -> Option<Time> {
        self.due = self.first().map(|first| {
            let left = (self.flows[first].0 - self.work).max(0.0) * self.flows.len() as f64;
            self.at.after(Time::from_picoseconds(left.round() as u64))
        });
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(op: u32, channel: u32) -> Message {
        Message { event: Event::Deliver, op, channel }
    }

    /// Lets messages in at their times and returns when each is through.
    fn through(messages: &[(u64, u64, u32)]) -> Vec<(u32, u64)> {
        let mut port = SharedPort::default();
        let mut out = Vec::new();
        let mut due: Option<Time> = None;
        let mut entering = (0..).zip(messages).peekable();
        loop {
            let enters = entering.peek().map(|(_, (at, ..))| Time::from_picoseconds(*at));
            match (enters, due) {
                (Some(at), due_at) if due_at.is_none_or(|due_at| at <= due_at) => {
                    let (op, &(_, gap, channel)) = entering.next().unwrap();
                    due = port.enter(at, Time::from_picoseconds(gap), message(op, channel)).or(due);
                }
                (_, Some(at)) => {
                    let (message, next) = port.leave(at).unwrap();
                    out.push((message.op, at.picoseconds()));
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
        // The second has half of the rate until the first is through.
        assert_eq!(through(&[(0, 100, 0), (50, 100, 1)]), [(0, 150), (1, 200)]);
        assert_eq!(through(&[(0, 100, 0), (50, 10, 1)]), [(1, 70), (0, 110)]);
        assert_eq!(through(&[(0, 100, 0), (0, 100, 0), (0, 100, 1)]), [(0, 200), (2, 200), (1, 300)]);
        assert_eq!(through(&[(0, 0, 0), (0, 0, 1)]), [(0, 0), (1, 0)]);
    }

    #[test]
    fn what_was_foreseen_before_a_change_does_not_happen() {
        let mut port = SharedPort::default();
        let old = port.enter(Time::ZERO, Time::from_picoseconds(10), message(0, 0)).unwrap();
        port.enter(Time::ZERO, Time::from_picoseconds(10), message(1, 1));
        assert_eq!(port.leave(old), None);
    }
}
