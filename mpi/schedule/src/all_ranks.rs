//! The schedules of all ranks.

use super::algorithm::Algorithm;
use super::algorithms::accept;
use super::budget::Limits;
use super::error::ScheduleError;
use super::{Action, Builder, RankSchedule, Request};
use crate::Collective;

/// The operations of all ranks in one call of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The collective.
    pub collective: Collective,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The call and its parameters; it has no segment size if the algorithm cuts nothing.
    pub request: Request,
    /// The ranks in order; rank r is `ranks[r]`.
    pub ranks: Vec<RankSchedule>,
}

impl Schedule {
    /// Builds the schedules of all ranks.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or if the schedule has more than
    /// [`MAX_OPERATIONS`](super::MAX_OPERATIONS) operations, or would with its proof take more than 900 MiB of memory or
    /// too many steps to build.
    pub fn build(algorithm: &dyn Algorithm, request: &Request) -> Result<Self, ScheduleError> {
        Self::build_within(algorithm, request, Limits::default())
    }

    /// Builds the schedules of all ranks within limits.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm does not serve the request, or if the schedule would exceed the limits.
    pub fn build_within(
        algorithm: &dyn Algorithm,
        request: &Request,
        limits: Limits,
    ) -> Result<Self, ScheduleError> {
        accept(algorithm, request)?;
        let mut budget = limits.budget().for_ranks(request.comm_size(), algorithm.least_messages(request))?;
        if algorithm.collective() == Collective::Allgather && request.bytes() > 0 {
            budget.blocks(u64::from(request.comm_size()).pow(2))?;
        }
        let plan = algorithm.plan(request);
        let mut ranks = Vec::with_capacity(request.comm_size() as usize);
        for rank in 0..request.comm_size() {
            let mut builder = Builder::within(budget);
            plan(rank, &mut builder)?;
            budget = builder.budget();
            ranks.push(builder.finish(rank));
        }
        if algorithm.collective() == Collective::Barrier {
            // What every rank knows of every other is followed through all operations, a few ranks at a time.
            let operations: usize = ranks.iter().map(|rank| rank.operations.len()).sum();
            budget.step(operations as u64 * u64::from(request.comm_size()) / 256)?;
        }
        let algorithm_name = algorithm.name().to_owned();
        Ok(Self {
            collective: algorithm.collective(),
            algorithm: algorithm_name,
            request: if algorithm.cuts() { request.clone() } else { request.clone().uncut() },
            ranks,
        })
    }

    /// Returns the number of rails, at least one.
    pub(super) fn rails(&self) -> u32 {
        let operations = self.ranks.iter().flat_map(|rank| &rank.operations);
        let rails = operations.filter_map(|operation| match operation.action {
            Action::Send { rail, .. } => Some(rail + 1),
            _ => None,
        });
        rails.max().unwrap_or(1)
    }
}
