//! The proof that a schedule fulfils the MPI standard, however its messages are timed.
//!
//! The checks, in this order:
//!
//! 1. **Form**: ranks, peers and operations exist, parts lie inside their buffers and on elements, nothing writes the
//!    send buffer.
//! 2. **Messages**: every send has its receive, and both are equally long.
//! 3. **Progress**: with every send a rendezvous, the graph of postings and completions has no cycle. There are no
//!    wildcards, so this covers every interleaving, and buffered sends only remove edges.
//! 4. **Conflicts**: operations of a rank that touch the same bytes, at least one writing them, are ordered: the first is
//!    complete before the second is posted, even if sends are buffered and complete at once.
//! 5. **Contents**: nothing is read before it is written, no rank's operand is combined twice or with another element, rank
//!    order is kept if the operation does not commute, and every rank ends with what the standard requires. For a
//!    barrier: no rank leaves before all have entered.
//!
//! A schedule without conflicts computes the same in every interleaving, so contents are followed through one of them.

mod content;
mod ends;
mod form;
mod memory;
mod order;
mod run;

use super::algorithms::in_rank_order;
use super::fault::{Fault, FaultKind};
use super::graph::Graph;
use super::{RequestError, Schedule, ScheduleError, TooLarge};
use crate::Collective;

/// A schedule that has been verified.
#[derive(Debug)]
pub struct Verified<'s> {
    schedule: &'s Schedule,
    pub(super) graph: Graph,
}

impl<'s> Verified<'s> {
    /// Returns the schedule.
    pub const fn schedule(&self) -> &'s Schedule {
        self.schedule
    }
}

impl Schedule {
    /// Returns why the request that led to a fault is refused, or `None` if the schedule itself is wrong: operands are combined out of
    /// rank order although the operation does not commute, or the proof does not fit into memory.
    pub fn refusal(&self, fault: &Fault) -> Option<ScheduleError> {
        match fault.kind {
            FaultKind::RankOrder(..) => {
                let error = RequestError::new(format!(
                    "algorithm `{}` combines operands out of rank order with {} ranks and root {}, which an operation that does \
                     not commute forbids",
                    self.algorithm,
                    self.request.comm_size(),
                    self.request.root_rank()
                ));
                Some(ScheduleError::Request(error.others("; use ", &in_rank_order(self.collective))))
            }
            FaultKind::TooLarge(limit) => Some(ScheduleError::TooLarge(TooLarge::Memory { limit })),
            _ => None,
        }
    }

    /// Proves that the schedule fulfils the MPI standard, however its messages are timed.
    ///
    /// Works for any schedule, not only for those of [`Schedule::build`], if the proof fits into a gigabyte. Takes time in proportion to the number of
    /// operations and of the pieces into which they cut the buffers.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is faulty; the error names rank, operation and bytes.
    pub fn verify(&self) -> Result<Verified<'_>, Fault> {
        form::check(self)?;
        let graph = Graph::new(self)?;
        let memories = run::run(self, &graph)?;
        if self.collective == Collective::Barrier {
            ends::check_knowledge(self, &graph)?;
        } else {
            ends::check_results(self, memories)?;
        }
        Ok(Verified { schedule: self, graph })
    }
}
