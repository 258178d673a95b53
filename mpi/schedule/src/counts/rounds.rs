//! The steps of a schedule with one full-duplex port per rank.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::graph::{Graph, Node};
use crate::{Action, Schedule};

/// A message that is transferred in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passage {
    /// The step, counted from 0.
    pub step: u64,
    /// The sending rank.
    pub from: u32,
    /// The position of the send in the rank's list.
    pub operation: usize,
    /// The receiving rank.
    pub to: u32,
    /// The rail that carries the message.
    pub rail: u32,
}

/// Returns every message with its step, in the order of the steps and of the senders.
pub(super) fn passages(schedule: &Schedule, graph: &Graph) -> Vec<Passage> {
    let mut ports = Ports {
        schedule,
        graph,
        waits: graph.waits(),
        posted: vec![false; graph.len()],
        offered: BTreeMap::new(),
        passages: Vec::new(),
    };
    let first = (0..graph.len()).filter(|&node| ports.waits[node] == 0).collect();
    ports.post(first);
    let rails = u64::from(schedule.rails());
    let mut step = 0;
    // Skip steps whose rail has nothing to do, instead of counting them one by one.
    while let Some(wait) =
        ports.offered.keys().map(|&rail| (u64::from(rail) + rails - step % rails) % rails).min()
    {
        step += wait;
        ports.step(step, (step % rails) as u32);
        step += 1;
    }
    ports.passages.sort_unstable();
    ports.passages
}

struct Ports<'s> {
    schedule: &'s Schedule,
    graph: &'s Graph,
    waits: Vec<u32>,
    posted: Vec<bool>,
    /// The sends of each rail whose receives are also posted; those of a rank follow each other.
    offered: BTreeMap<u32, BTreeSet<Node>>,
    passages: Vec<Passage>,
}

impl Ports<'_> {
    /// Posts operations, and those that become ready because of them; messages wait for their step.
    fn post(&mut self, mut ready: Vec<Node>) {
        while let Some(node) = ready.pop() {
            self.posted[node] = true;
            if let Some(next) = self.graph.next(node) {
                self.release(next, &mut ready);
            }
            match self.graph.action(self.schedule, node) {
                Action::Send { rail, .. } => self.offer(*rail, node, node),
                Action::Receive { rail, .. } => {
                    if let Some(send) = self.graph.partner(node) {
                        self.offer(*rail, send, node);
                    }
                }
                Action::Reduce { .. } | Action::Copy { .. } => self.end(node, &mut ready),
            }
        }
    }

    fn offer(&mut self, rail: u32, send: Node, posted: Node) {
        let other = self.graph.partner(posted);
        if other.is_some_and(|other| self.posted[other]) {
            self.offered.entry(rail).or_default().insert(send);
        }
    }

    /// Transfers at most one message from each rank and to each rank.
    fn step(&mut self, step: u64, rail: u32) {
        let Some(offered) = self.offered.get_mut(&rail) else { return };
        let mut taken: HashMap<u32, (Node, Node)> = HashMap::new();
        let mut from = 0;
        while let Some(&send) = offered.range(from..).next() {
            let (sender, _) = self.graph.place(send);
            from = self.graph.nodes(sender).end;
            let Some(receive) = self.graph.partner(send) else { continue };
            let (receiver, _) = self.graph.place(receive);
            let best = taken.entry(receiver).or_insert((receive, send));
            *best = (*best).min((receive, send));
        }
        for (_, send) in taken.values() {
            offered.remove(send);
        }
        if offered.is_empty() {
            self.offered.remove(&rail);
        }
        let mut ready = Vec::new();
        for (to, (receive, send)) in taken {
            let (from, operation) = self.graph.place(send);
            self.passages.push(Passage { step, from, operation, to, rail });
            self.end(receive, &mut ready);
            self.end(send, &mut ready);
        }
        self.post(ready);
    }

    fn end(&mut self, node: Node, ready: &mut Vec<Node>) {
        let graph = self.graph;
        for &dependent in graph.dependents(node) {
            self.release(dependent, ready);
        }
    }

    fn release(&mut self, node: Node, ready: &mut Vec<Node>) {
        self.waits[node] -= 1;
        if self.waits[node] == 0 {
            ready.push(node);
        }
    }
}
