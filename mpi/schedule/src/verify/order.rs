//! Order of a rank's operations: whether one is complete before another is posted, however messages are timed.

use std::collections::HashSet;

use crate::fault::{Fault, FaultKind, Site};
use crate::graph::{Graph, Node};
use crate::{Action, Part, Schedule};

#[derive(Debug)]
pub(super) struct Order<'g> {
    schedule: &'g Schedule,
    graph: &'g Graph,
    /// The operation of the same channel that is posted before.
    previous: Vec<Option<Node>>,
    /// The last search that visited each node.
    seen: Vec<u32>,
    question: u32,
    /// The operations that may still be visited.
    visits_left: u64,
}

/// The maximum number of operations that all searches visit: some seconds. Schedules of algorithms visit a few for each operation.
const MAX_VISITS: u64 = 1 << 30;

/// The visits that take as long as one of a search through all ranks.
const GLOBAL: u64 = 16;

impl<'g> Order<'g> {
    pub(super) fn new(schedule: &'g Schedule, graph: &'g Graph) -> Self {
        let mut previous = vec![None; graph.len()];
        for node in 0..graph.len() {
            if let Some(next) = graph.next(node) {
                previous[next] = Some(node);
            }
        }
        Self { schedule, graph, previous, seen: vec![0; graph.len()], question: 0, visits_left: MAX_VISITS }
    }

    /// Checks that `first` is always complete before `second`, of the same rank and the same bytes, is posted.
    ///
    /// A send may be buffered and complete at once, so its completion says nothing about its receiver. All searches together may take too long.
    pub(super) fn check(&mut self, first: Node, second: Node, part: Part) -> Result<(), Fault> {
        let is_before = self.locally(first, second) || self.globally(first, second);
        let kind = match self.visits_left {
            0 => FaultKind::TooLong,
            _ if is_before => return Ok(()),
            _ => FaultKind::Conflict(self.site(first), part),
        };
        let (rank, operation) = self.graph.place(second);
        Err(Fault::at(self.schedule, rank, operation, kind))
    }

    pub(super) fn site(&self, node: Node) -> Site {
        let (rank, operation) = self.graph.place(node);
        Site::new(self.schedule, rank, operation)
    }

    /// Searches backwards among the operations of the rank, which wait only for earlier ones.
    fn locally(&mut self, first: Node, second: Node) -> bool {
        let (rank, _) = self.graph.place(second);
        let at = self.graph.node(rank, 0);
        self.question += 1;
        let mut open = vec![second];
        while let Some(node) = open.pop() {
            self.visits_left = self.visits_left.saturating_sub(1);
            if self.visits_left == 0 {
                return false;
            }
            let after = &self.schedule.ranks[rank as usize].operations[node - at].after;
            let after = after.iter().map(|&after| at + after as usize);
            if after.clone().any(|before| before == first) {
                return true;
            }
            // The previous operation of the channel is posted earlier, but not necessarily completed.
            for before in after.chain(self.previous[node]) {
                if before > first && self.seen[before] != self.question {
                    self.seen[before] = self.question;
                    open.push(before);
                }
            }
        }
        false
    }

    /// Searches forwards through the messages of all ranks.
    fn globally(&mut self, first: Node, second: Node) -> bool {
        let mut posted = HashSet::new();
        let mut complete = HashSet::from([first]);
        let mut open = vec![(first, true)];
        while let Some((node, is_complete)) = open.pop() {
            self.visits_left = self.visits_left.saturating_sub(GLOBAL);
            if self.visits_left == 0 {
                return false;
            }
            if is_complete {
                for &behind in self.graph.dependents(node) {
                    if behind == second {
                        return true;
                    }
                    if posted.insert(behind) {
                        open.push((behind, false));
                    }
                }
                continue;
            }
            if let Some(next) = self.graph.next(node) {
                if next == second {
                    return true;
                }
                if posted.insert(next) {
                    open.push((next, false));
                }
            }
            let received = match self.graph.action(self.schedule, node) {
                Action::Send { .. } => self.graph.partner(node),
                _ => None,
            };
            for ended in received.into_iter().chain([node]) {
                if complete.insert(ended) {
                    open.push((ended, true));
                }
            }
        }
        false
    }
}
