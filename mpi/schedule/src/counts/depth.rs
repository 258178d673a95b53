//! The longest chain of messages.

use crate::graph::{Graph, Node};
use crate::{Action, Schedule};

/// Returns the length of the longest chain of messages in which each is sent after the previous one was received.
pub(super) fn depth(schedule: &Schedule, graph: &Graph) -> u64 {
    let mut depth = vec![0_u64; graph.len()];
    let mut waits = graph.waits();
    // A receive is complete when it and its send are posted.
    let mut open: Vec<u8> = (0..graph.len())
        .map(|node| if matches!(graph.action(schedule, node), Action::Receive { .. }) { 2 } else { 1 })
        .collect();
    let mut ready: Vec<Node> = (0..graph.len()).filter(|&node| waits[node] == 0).collect();
    let mut deepest = 0;
    while let Some(node) = ready.pop() {
        let mut release = |to: Node, reached: u64, depth: &mut Vec<u64>| {
            depth[to] = depth[to].max(reached);
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        };
        let reached = depth[node];
        if let Some(next) = graph.next(node) {
            release(next, reached, &mut depth);
        }
        let received = match graph.action(schedule, node) {
            Action::Send { .. } => graph.partner(node).map(|receive| (receive, reached + 1)),
            _ => None,
        };
        for (ended, reached) in received.into_iter().chain([(node, reached)]) {
            depth[ended] = depth[ended].max(reached);
            open[ended] -= 1;
            if open[ended] == 0 {
                deepest = deepest.max(depth[ended]);
                for &dependent in graph.dependents(ended) {
                    release(dependent, depth[ended], &mut depth);
                }
            }
        }
    }
    deepest
}
