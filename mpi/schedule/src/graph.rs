//! The graph of a schedule: which send meets which receive, and which operation waits for which.

use std::collections::HashMap;

use super::fault::{Fault, FaultKind, Site};
use super::{Action, Schedule};

/// An operation's position among those of all ranks.
pub(super) type Node = usize;

#[derive(Debug)]
pub(super) struct Graph {
    /// The node of each rank's first operation, then the number of all nodes.
    first: Vec<Node>,
    /// The other side of a message.
    partner: Vec<Option<Node>>,
    /// The operation of the same rank, peer, rail and direction that is posted next.
    next: Vec<Option<Node>>,
    /// The operations of the same rank that wait for each one's completion: those of node n are
    /// `dependents[start[n]..start[n + 1]]`.
    dependents: Vec<Node>,
    start: Vec<usize>,
    /// The number of postings and completions that each operation waits for.
    waits: Vec<u32>,
}

impl Graph {
    /// Matches the messages of a schedule whose form has been checked.
    pub(super) fn new(schedule: &Schedule) -> Result<Self, Fault> {
        let mut first = Vec::with_capacity(schedule.ranks.len() + 1);
        let mut nodes = 0;
        for rank in &schedule.ranks {
            first.push(nodes);
            nodes += rank.operations.len();
        }
        first.push(nodes);
        let mut graph = Self {
            first,
            partner: vec![None; nodes],
            next: vec![None; nodes],
            dependents: Vec::new(),
            start: Vec::new(),
            waits: vec![0; nodes],
        };
        graph.match_messages(schedule)?;
        graph.collect_dependents(schedule);
        Ok(graph)
    }

    fn match_messages(&mut self, schedule: &Schedule) -> Result<(), Fault> {
        // By sender, receiver and rail.
        let mut channels = HashMap::<_, (Vec<Node>, Vec<Node>)>::new();
        for (rank, at) in schedule.ranks.iter().zip(&self.first) {
            for (index, operation) in rank.operations.iter().enumerate() {
                let node = at + index;
                match operation.action {
                    Action::Send { peer, rail, .. } => {
                        channels.entry((rank.rank, peer, rail)).or_default().0.push(node);
                    }
                    Action::Receive { peer, rail, .. } => {
                        channels.entry((peer, rank.rank, rail)).or_default().1.push(node);
                    }
                    Action::Reduce { .. } | Action::Copy { .. } => {}
                }
            }
        }
        // Report the first fault in the order of the ranks, whatever the order of the channels.
        let mut unmatched: Option<Node> = None;
        for (sends, receives) in channels.values() {
            for list in [sends, receives] {
                for pair in list.windows(2) {
                    self.next[pair[0]] = Some(pair[1]);
                    self.waits[pair[1]] += 1;
                }
            }
            for (&send, &receive) in sends.iter().zip(receives) {
                self.partner[send] = Some(receive);
                self.partner[receive] = Some(send);
            }
            let common = sends.len().min(receives.len());
            for &node in sends[common..].iter().chain(&receives[common..]) {
                unmatched = Some(unmatched.map_or(node, |known| known.min(node)));
            }
        }
        if let Some(node) = unmatched {
            let (rank, operation) = self.place(node);
            return Err(Fault::at(schedule, rank, operation, FaultKind::Unmatched));
        }
        for node in 0..self.partner.len() {
            let Some(partner) = self.partner[node] else { continue };
            let (sent, received) =
                (self.action(schedule, node).bytes(), self.action(schedule, partner).bytes());
            if matches!(self.action(schedule, node), Action::Send { .. }) && sent != received {
                let (rank, operation) = self.place(partner);
                let receive = Site::new(schedule, rank, operation);
                let (rank, operation) = self.place(node);
                let kind = FaultKind::MessageLength(sent, receive, received);
                return Err(Fault::at(schedule, rank, operation, kind));
            }
        }
        Ok(())
    }

    fn collect_dependents(&mut self, schedule: &Schedule) {
        let mut counts = vec![0_usize; self.partner.len() + 1];
        for (before, behind) in edges(schedule, &self.first) {
            counts[before + 1] += 1;
            self.waits[behind] += 1;
        }
        for node in 1..counts.len() {
            counts[node] += counts[node - 1];
        }
        let mut free = counts.clone();
        let mut dependents = vec![0; counts.last().copied().unwrap_or(0)];
        for (before, behind) in edges(schedule, &self.first) {
            dependents[free[before]] = behind;
            free[before] += 1;
        }
        self.start = counts;
        self.dependents = dependents;
    }

    pub(super) fn len(&self) -> usize {
        self.partner.len()
    }

    /// Returns the rank and the position in its list.
    pub(super) fn place(&self, node: Node) -> (u32, usize) {
        let rank = self.first.partition_point(|&first| first <= node) - 1;
        (rank as u32, node - self.first[rank])
    }

    pub(super) fn node(&self, rank: u32, operation: usize) -> Node {
        self.first[rank as usize] + operation
    }

    pub(super) fn nodes(&self, rank: u32) -> std::ops::Range<Node> {
        self.first[rank as usize]..self.first[rank as usize + 1]
    }

    pub(super) fn action<'s>(&self, schedule: &'s Schedule, node: Node) -> &'s Action {
        let (rank, operation) = self.place(node);
        &schedule.ranks[rank as usize].operations[operation].action
    }

    pub(super) fn partner(&self, node: Node) -> Option<Node> {
        self.partner[node]
    }

    pub(super) fn next(&self, node: Node) -> Option<Node> {
        self.next[node]
    }

    pub(super) fn dependents(&self, node: Node) -> &[Node] {
        &self.dependents[self.start[node]..self.start[node + 1]]
    }

    pub(super) fn waits(&self) -> Vec<u32> {
        self.waits.clone()
    }

    /// Returns a value of each operation on its completion: its `own`, joined with those of the operations that it waits for and, of a
    /// receive, with what the message carries of its send. The completion of a send implies nothing of its receive, because it may be buffered.
    pub(super) fn spread<V: Copy>(
        &self,
        schedule: &Schedule,
        own: impl Fn(Node) -> V,
        join: impl Fn(V, V) -> V,
        carried: impl Fn(V) -> V,
    ) -> Vec<V> {
        let mut values: Vec<V> = (0..self.len()).map(own).collect();
        let mut waits = self.waits();
        let is_receive = |node: Node| matches!(self.action(schedule, node), Action::Receive { .. });
        // A receive is complete when it and its send are posted.
        let mut open: Vec<u8> = (0..self.len()).map(|node| 1 + u8::from(is_receive(node))).collect();
        let mut ready: Vec<Node> = (0..self.len()).filter(|&node| waits[node] == 0).collect();
        while let Some(node) = ready.pop() {
            let value = values[node];
            let mut release = |to: Node, value: V, values: &mut [V]| {
                values[to] = join(values[to], value);
                waits[to] -= 1;
                if waits[to] == 0 {
                    ready.push(to);
                }
            };
            if let Some(next) = self.next(node) {
                release(next, value, &mut values);
            }
            let received = self.partner(node).filter(|_| !is_receive(node));
            let received = received.map(|receive| (receive, carried(value)));
            for (ended, value) in received.into_iter().chain([(node, value)]) {
                values[ended] = join(values[ended], value);
                open[ended] -= 1;
                if open[ended] == 0 {
                    for &dependent in self.dependents(ended) {
                        release(dependent, values[ended], &mut values);
                    }
                }
            }
        }
        values
    }
}

/// Returns the dependencies of a schedule: what comes before, and what waits for it. `first` gives the first node of each rank.
fn edges(schedule: &Schedule, first: &[Node]) -> impl Iterator<Item = (Node, Node)> {
    schedule.ranks.iter().zip(first).flat_map(|(rank, &at)| {
        rank.operations.iter().enumerate().flat_map(move |(index, operation)| {
            operation.after.iter().map(move |&after| (at + after as usize, at + index))
        })
    })
}
