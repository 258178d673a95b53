//! The cost of a schedule independent of a network: messages, bytes, rounds.

mod bounds;
mod rounds;

pub use bounds::Bounds;
pub use rounds::Passage;

use super::{Action, Verified};

/// The cost of a schedule independent of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of messages of all ranks.
    pub messages: u64,
    /// The total bytes of all messages.
    pub bytes: u64,
    /// The size of the longest message in bytes.
    pub longest: u64,
    /// The maximum number of bytes that one rank sends.
    pub most_sent: u64,
    /// The maximum number of bytes that one rank receives.
    pub most_received: u64,
    /// The number of steps in the single-port full-duplex model: in each step a rank sends at most one message and receives at most
    /// one, and every message takes one step whatever its size. Reductions and copies take none.
    ///
    /// A rank offers the first message of its list that may be sent. A rank that is offered several takes the one whose
    /// receive stands first in its own list. A schedule for r rails runs on one port as the rails would in turn: step t serves
    /// only the messages of rail t mod r, which is the 2-colouring of Sanders, Speck and Träff ("Two-tree algorithms for
    /// full bandwidth broadcast, reduction and scan", Parallel Computing 35, 2009) for two trees.
    pub rounds: u64,
    /// The length of the longest chain of messages in which each must wait for the previous one.
    pub depth: u64,
    /// The bytes of all messages on each rail.
    pub by_rail: Vec<u64>,
}

impl Verified<'_> {
    /// Returns every message with the step in which it is transferred, as counted in [`Counts::rounds`], in the order of
    /// the steps and of the senders.
    pub fn passages(&self) -> Vec<Passage> {
        rounds::passages(self.schedule(), &self.graph)
    }

    /// Counts messages, bytes and rounds.
    pub fn counts(&self) -> Counts {
        let schedule = self.schedule();
        let depths = self.graph.spread(schedule, |_| 0, u64::max, |depth| depth + 1);
        let mut counts = Counts {
            messages: 0,
            bytes: 0,
            longest: 0,
            most_sent: 0,
            most_received: 0,
            rounds: self.passages().last().map_or(0, |last| last.step + 1),
            depth: depths.into_iter().max().unwrap_or(0),
            by_rail: Vec::new(),
        };
        for rank in &schedule.ranks {
            let (mut sent, mut received) = (0, 0);
            for operation in &rank.operations {
                let bytes = operation.action.bytes();
                match operation.action {
                    Action::Send { rail, .. } => {
                        let rail = rail as usize;
                        if counts.by_rail.len() <= rail {
                            counts.by_rail.resize(rail + 1, 0);
                        }
                        counts.by_rail[rail] += bytes;
                        counts.messages += 1;
                        counts.longest = counts.longest.max(bytes);
                        sent += bytes;
                    }
                    Action::Receive { .. } => received += bytes,
                    Action::Reduce { .. } | Action::Copy { .. } => {}
                }
            }
            counts.bytes += sent;
            counts.most_sent = counts.most_sent.max(sent);
            counts.most_received = counts.most_received.max(received);
        }
        counts
    }
}
