//! The knowledge of ranks at the end of a barrier: which ranks have entered.

use std::ops::Range;

use crate::fault::{Fault, FaultKind};
use crate::graph::{Graph, Node};
use crate::{Action, Schedule};

/// Checks that no rank leaves before it knows that all have entered.
///
/// A rank that enters posts its first operations. Its knowledge travels with its messages and, within the rank, from
/// each operation to those that wait for it. The completion of a send implies nothing, because it may be buffered.
pub(super) fn check(schedule: &Schedule, graph: &Graph) -> Result<(), Fault> {
    let comm_size = schedule.request.comm_size();
    // Processing a few ranks at a time keeps the memory proportional to the schedule, not to its square.
    for from in (0..comm_size).step_by(64) {
        let requested = from..comm_size.min(from + 64);
        let all = u64::MAX >> (64 - requested.len());
        let known = spread(schedule, graph, &requested);
        for rank in 0..comm_size {
            let own = if requested.contains(&rank) { 1 << (rank - from) } else { 0 };
            let known = graph.nodes(rank).fold(own, |known_so_far, node| known_so_far | known[node]);
            if known != all {
                let unknown = from + (!known).trailing_zeros();
                return Err(Fault::alone(FaultKind::Leaves(rank, unknown)));
            }
        }
    }
    Ok(())
}

/// Returns the ranks of `requested` that each operation knows of on completion, one bit each.
fn spread(schedule: &Schedule, graph: &Graph, requested: &Range<u32>) -> Vec<u64> {
    let mut known = vec![0; graph.len()];
    let mut waits = graph.waits();
    // A receive is complete when it and its send are posted.
    let mut completes: Vec<u8> = (0..graph.len())
        .map(|node| if matches!(graph.action(schedule, node), Action::Receive { .. }) { 2 } else { 1 })
        .collect();
    let mut ready: Vec<Node> = (0..graph.len()).filter(|&node| waits[node] == 0).collect();
    while let Some(node) = ready.pop() {
        let (rank, _) = graph.place(node);
        if requested.contains(&rank) {
            known[node] |= 1 << (rank - requested.start);
        }
        let mut release = |known: &mut Vec<u64>, from: Node, to: Node| {
            known[to] |= known[from];
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        };
        if let Some(next) = graph.next(node) {
            release(&mut known, node, next);
        }
        let received = match graph.action(schedule, node) {
            Action::Send { .. } => graph.partner(node),
            _ => None,
        };
        for ended in received.into_iter().chain([node]) {
            known[ended] |= known[node];
            completes[ended] -= 1;
            if completes[ended] == 0 {
                for &dependent in graph.dependents(ended) {
                    release(&mut known, ended, dependent);
                }
            }
        }
    }
    known
}
