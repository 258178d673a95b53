//! The costs of a program's messages on a network, looked up once for each size.

use super::{Program, Time};
use crate::network::{Level, MessageCost, Network};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) latency: Time,
    pub(super) gap: Time,
    pub(super) send: Time,
    pub(super) receive: Time,
}

impl From<MessageCost> for Cost {
    fn from(cost: MessageCost) -> Self {
        Self {
            latency: Time::from_seconds(cost.latency),
            gap: Time::from_seconds(cost.gap),
            send: Time::from_seconds(cost.send),
            receive: Time::from_seconds(cost.receive),
        }
    }
}

/// The costs of all sizes of a program, and of the messages of a handshake.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// The costs of each size at each [`Level`].
    messages: Vec<[Cost; 3]>,
    handshake: [Cost; 3],
    /// The times to combine and to copy each size.
    work: Vec<[Time; 2]>,
    /// Whether each size is sent after a handshake.
    rendezvous: Vec<bool>,
}

impl Costs {
    /// Looks up the costs of a program.
    pub(super) fn load(&mut self, network: &Network, program: &Program) {
        let levels = [Level::Node, Level::Within, Level::Between];
        let costs = |bytes: u64| levels.map(|level| network.cost(level, bytes).into());
        let sizes = || program.sizes.iter().copied();
        self.handshake = costs(1);
        self.messages.clear();
        self.messages.extend(sizes().map(costs));
        self.work.clear();
        let work = |bytes| [network.reduce(bytes), network.copy(bytes)].map(Time::from_seconds);
        self.work.extend(sizes().map(work));
        self.rendezvous.clear();
        let limit = network.description().eager_limit.unwrap_or(u64::MAX);
        self.rendezvous.extend(sizes().map(|bytes| bytes > limit));
    }

    pub(super) fn message(&self, size: u32, level: Level) -> &Cost {
        &self.messages[size as usize][level as usize]
    }

    pub(super) fn handshake(&self, level: Level) -> Cost {
        self.handshake[level as usize]
    }

    pub(super) fn reduce(&self, size: u32) -> Time {
        self.work[size as usize][0]
    }

    pub(super) fn copy(&self, size: u32) -> Time {
        self.work[size as usize][1]
    }

    pub(super) fn is_rendezvous(&self, size: u32) -> bool {
        self.rendezvous[size as usize]
    }
}
