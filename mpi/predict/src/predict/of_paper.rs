//! What predictions owe to the papers: printed bounds, and what a formula claims.

use super::{Method, Predictor, Size, TimeSource};
use crate::models::{self, Call, Claim, Form};
use qtdec_mpi_schedule::collective::Collective;

impl Predictor<'_> {
    /// Returns the relation of a predicted time to that of the schedule, or `None` for a simulated time.
    pub fn claim(&self, method: &Method, size: Size) -> Option<Claim> {
        let TimeSource::Formula(form) = self.time_source else { return None };
        self.formula(form, method, size).ok().map(|found| found.claim)
    }

    /// Returns the bounds that a paper prints for a call, the lower one first, in seconds: for an all-to-all by direct exchange, see
    /// [`models::alltoall_bounds`].
    pub fn printed_bounds(&self, size: Size) -> Option<(f64, f64)> {
        let is_printed = self.time_source == TimeSource::Formula(Form::Printed);
        let call = Call::new(self.network, u64::from(size.comm_size), size.msg_size);
        let is_covered = self.network.description().ranks_per_node == 1 && call.clusters() == 1;
        let is_theirs = self.collective == Collective::Alltoall;
        let has_bounds = is_printed && is_covered && is_theirs;
        has_bounds.then(|| models::alltoall_bounds(&call))
    }
}
