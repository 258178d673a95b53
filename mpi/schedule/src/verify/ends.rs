//! The contents and the knowledge with which ranks end.

use std::rc::Rc;

use super::content::Content;
use super::memory::{History, Memory};
use crate::Schedule;
use crate::fault::{Fault, FaultKind};
use crate::graph::Graph;
use crate::standard::{Expected, results};

/// Checks that every rank ends with what the standard requires.
pub(super) fn check_results(schedule: &Schedule, memories: Vec<Memory>) -> Result<(), Fault> {
    for (rank, mut memory) in (0..).zip(memories) {
        for Expected { part, origin, sources } in results(schedule.collective, &schedule.request, rank) {
            let required = Content { origin, ranks: Rc::new([sources]) };
            for (run, History { content, .. }) in memory.over(part) {
                let required = required.advanced(run.offset - part.offset);
                if content.as_ref() != Some(&required) {
                    let found = content.as_ref().map_or_else(|| "nothing".to_owned(), Content::to_string);
                    return Err(Fault::alone(FaultKind::Result(rank, run, [found, required.to_string()])));
                }
            }
        }
    }
    Ok(())
}

/// Checks that no rank leaves before it knows that all have entered.
///
/// A rank that enters posts its first operations. Its knowledge travels with its messages and, within the rank, from
/// each operation to those that wait for it. The completion of a send implies nothing, because it may be buffered.
pub(super) fn check_knowledge(schedule: &Schedule, graph: &Graph) -> Result<(), Fault> {
    let comm_size = schedule.request.comm_size();
    // Processing a few ranks at a time keeps the memory proportional to the schedule, not to its square.
    for from in (0..comm_size).step_by(64) {
        let requested = from..comm_size.min(from + 64);
        let all = u64::MAX >> (64 - requested.len());
        let bit = |rank: u32| if requested.contains(&rank) { 1 << (rank - from) } else { 0_u64 };
        // The ranks of `requested` that each operation knows of, one bit each.
        let known =
            graph.spread(schedule, |node| bit(graph.place(node).0), |one, other| one | other, |known| known);
        for rank in 0..comm_size {
            let known = graph.nodes(rank).fold(bit(rank), |known_so_far, node| known_so_far | known[node]);
            if known != all {
                let unknown = from + (!known).trailing_zeros();
                return Err(Fault::alone(FaultKind::Leaves(rank, unknown)));
            }
        }
    }
    Ok(())
}
