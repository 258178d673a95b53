//! What predictions owe to the papers: the formulas of one of them alone, printed bounds, and what a formula claims.

use std::fmt;

use super::{Method, Predictor, Size, TimeSource};
use crate::models::{self, Call, Claim, Form, Paper};
use qtdec_mpi_schedule::collective::Collective;

impl Predictor<'_> {
    /// Takes times from the formulas that this paper prints alone, in its units: `M/b` of all rails of a node, or `g` of one port.
    ///
    /// # Errors
    ///
    /// Fails if the paper has no formula for the collective, or none for its algorithms.
    pub fn paper(mut self, paper: Paper) -> Result<Self, NotInPaper> {
        let collective = self.collective;
        self.algorithms.retain(|known| {
            [true, false].iter().any(|&cut| paper.row(collective, known.name, cut).is_some())
        });
        for known in &mut self.algorithms {
            known.segmented &= paper.segments(collective, known.name);
        }
        self.time_source = TimeSource::Formula(Form::Printed);
        self.paper = Some(paper);
        if self.algorithms.is_empty() { Err(NotInPaper { paper, collective }) } else { Ok(self) }
    }

    /// Returns the relation of a predicted time to that of the schedule, or `None` for a simulated time.
    pub fn claim(&self, method: &Method, size: Size) -> Option<Claim> {
        let TimeSource::Formula(form) = self.time_source else { return None };
        let formula = models::formula(self.collective, method.algorithm).ok()?;
        self.formula(formula, form, method, size).ok().map(|found| found.claim)
    }

    /// Returns the bounds that a paper prints for a call, the lower one first, in seconds: for an all-to-all by direct exchange, see
    /// [`models::alltoall_bounds`].
    pub fn printed_bounds(&self, size: Size) -> Option<(f64, f64)> {
        let is_printed = self.time_source == TimeSource::Formula(Form::Printed);
        let call = Call::new(self.network, u64::from(size.comm_size), size.msg_size);
        let is_covered = self.network.description().ranks_per_node == 1 && call.clusters() == 1;
        let is_theirs = self.collective == Collective::Alltoall && self.paper != Some(Paper::Multirail);
        let has_bounds = is_printed && is_covered && is_theirs;
        has_bounds.then(|| models::alltoall_bounds(&call))
    }
}

/// The error of a collective for which a paper has no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInPaper {
    paper: Paper,
    collective: Collective,
}

impl fmt::Display for NotInPaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paper, collective } = self;
        let rows = || paper.rows().iter();
        let theirs = rows().filter(|row| row.collective == *collective).map(|row| row.algorithm);
        let algorithms = distinct(theirs);
        let (what, known) = if algorithms.is_empty() {
            (collective.name(), distinct(rows().map(|row| row.collective.name())))
        } else {
            ("these algorithms", algorithms)
        };
        write!(f, "the paper {} has no formula for {what}, but for {}", paper.name(), known.join(", "))
    }
}

fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    names.fold(Vec::new(), |mut known, name| {
        if !known.contains(&name) {
            known.push(name);
        }
        known
    })
}

impl std::error::Error for NotInPaper {}
