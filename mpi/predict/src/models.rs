//! Formulas for the times of collectives, from the parameters of a [`Network`](crate::Network).
//!
//! Most formulas are those of Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
//! Communications" (2004), Tables 1 to 3; the broadcast over two rails is that of Chiba, Endo and Matsuoka (2006),
//! Table 1. If nodes have several rails, all printed broadcasts are those of that table, because it counts the rate of all
//! rails of a node and the other paper that of one port. Each has two forms: **printed**, as in the paper, and **exact**, the
//! time of its schedule under the assumptions that all rows share:
//!
//! - Every rank has one port for sending and one for receiving, which work at the same time.
//! - A message of `m` bytes occupies the sender's port for `g(m)`. `L` after it began, it reaches the receiver's port and
//!   occupies it for `g(m)`; arrivals queue. So one message takes `L + g(m)`.
//! - The overheads matter only in an all-to-all.
//!
//! A communicator of one rank and a message without bytes take no time, whatever a formula says.
//!
//! # Notation
//!
//! `P` ranks, `K = ⌈log2 P⌉`, `F = ⌊log2 P⌋`, `m` bytes in `k` segments of `s` bytes, the last of `r`.

mod alltoall;
mod binary;
mod binomial;
mod call;
mod dary;
mod knomial;
mod linear;
mod multirail;
mod pipeline;
mod reduce;
mod scatter;
mod scatter_allgather;
mod segment;

pub use alltoall::{bounds as alltoall_bounds, contended as alltoall_contended};
pub use call::Call;
pub use multirail::{Fabric, PaperRow};
pub use segment::{Found, climb, scan};

use std::fmt;

use crate::network::meant;
use qtdec_mpi_schedule::collective::Collective;

/// A version of a formula.
///
/// The variants are complete: a formula is as printed or corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The formula as printed in the paper, misprints included.
    Printed,
    /// The time of the schedule under the paper's assumptions, or a bound on it.
    Exact,
}

/// The relation between a formula and the time of the schedule under its assumptions.
///
/// The variants are complete: a formula is exact, a bound or an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The formula gives exactly that time.
    Exact,
    /// The formula is an upper bound.
    AtMost,
    /// The formula may be above or below that time.
    Estimate,
}

/// The result of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The time in seconds.
    pub seconds: f64,
    /// The relation to the time of the schedule.
    pub claim: Claim,
}

/// The function of one form of a formula. It is called with at least two ranks.
pub(crate) type Evaluate = fn(&Call<'_>) -> Result<Prediction, NotApplicable>;

/// A formula for the time of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The collective.
    pub collective: Collective,
    /// The algorithm's name, the same as in schedules if there is one.
    pub algorithm: &'static str,
    /// Whether the time depends on the segment size.
    pub segmented: bool,
    /// Whether it describes a network or a protocol, so that no program can choose it.
    pub is_model: bool,
    /// The paper, table and row of the formula.
    pub source: &'static str,
    pub(crate) printed: Option<Evaluate>,
    pub(crate) exact: Option<Evaluate>,
    /// Whether the formula covers clusters and the network between them.
    pub(crate) two_levels: bool,
}

/// Every formula, by collective.
pub const FORMULAS: &[&Formula] = &[
    &linear::BCAST,
    &linear::RENDEZVOUS,
    &pipeline::BCAST,
    &pipeline::RENDEZVOUS,
    &binary::BCAST,
    &dary::BCAST,
    &binomial::BCAST,
    &binomial::RENDEZVOUS,
    &binary::SPLIT,
    &knomial::BCAST,
    &scatter_allgather::BCAST,
    &scatter_allgather::RING,
    &multirail::BCAST,
    &reduce::LINEAR,
    &reduce::PIPELINE,
    &reduce::BINARY,
    &reduce::BINOMIAL,
    &scatter::LINEAR,
    &scatter::CHAIN,
    &scatter::BINOMIAL,
    &scatter::GATHER_LINEAR,
    &scatter::GATHER_CHAIN,
    &scatter::GATHER_BINOMIAL,
    &alltoall::LINEAR,
    &alltoall::ROTATED,
    &alltoall::CONTENTION,
    &alltoall::SHARED_MEDIUM,
];

/// Returns the formulas of a collective.
pub fn formulas(collective: Collective) -> impl Iterator<Item = &'static Formula> {
    FORMULAS.iter().copied().filter(move |formula| formula.collective == collective)
}

/// Returns the formula of an algorithm.
///
/// # Errors
///
/// Fails if the collective has no formula of this name.
pub fn formula(collective: Collective, algorithm: &str) -> Result<&'static Formula, String> {
    let names: Vec<&str> = formulas(collective).map(|formula| formula.algorithm).collect();
    formulas(collective).find(|formula| formula.algorithm == algorithm).ok_or_else(|| {
        let like = meant(algorithm, names.iter().copied());
        let known = if names.is_empty() {
            "the collective has no formulas, so simulate its schedules".to_owned()
        } else {
            format!("the known algorithms are {}", names.join(", "))
        };
        format!("{collective} has no formula for `{algorithm}`{like}; {known}")
    })
}

/// Builders of the list.
impl Formula {
    const fn new(collective: Collective, algorithm: &'static str, source: &'static str) -> Self {
        Self {
            collective,
            algorithm,
            source,
            segmented: false,
            is_model: false,
            printed: None,
            exact: None,
            two_levels: false,
        }
    }

    const fn bcast(algorithm: &'static str, source: &'static str) -> Self {
        Self::new(Collective::Bcast, algorithm, source)
    }

    const fn segmented(self) -> Self {
        Self { segmented: true, ..self }
    }

    const fn model(self) -> Self {
        Self { is_model: true, ..self }
    }

    const fn of_two_levels(self) -> Self {
        Self { two_levels: true, ..self }
    }

    const fn printed(self, evaluate: Evaluate) -> Self {
        Self { printed: Some(evaluate), ..self }
    }

    const fn exact(self, evaluate: Evaluate) -> Self {
        Self { exact: Some(evaluate), ..self }
    }
}

impl Formula {
    /// Returns the time of a call.
    ///
    /// # Errors
    ///
    /// Fails if the formula has no such form or does not cover such calls.
    pub fn predict(&self, form: Form, call: &Call<'_>) -> Result<Prediction, NotApplicable> {
        let evaluate = match form {
            Form::Printed => self.printed,
            Form::Exact => self.exact,
        };
        let evaluate = evaluate.ok_or(NotApplicable::NoSuchForm(form))?;
        if call.ranks < 2 || call.bytes == 0 {
            return Ok(exactly(0.0));
        }
        let description = call.network.description();
        if description.ranks_per_node > 1 {
            return Err(NotApplicable::SharedPorts);
        }
        let found = match (self.collective, form) {
            (Collective::Bcast, Form::Printed) if description.rails > 1 => {
                multirail::printed(self.algorithm, call)?
            }
            _ if self.two_levels || call.clusters() == 1 => evaluate(call)?,
            _ => return Err(NotApplicable::Clusters(call.clusters())),
        };
        if found.seconds <= LONGEST { Ok(found) } else { Err(NotApplicable::TooLong) }
    }
}

/// The longest time in seconds: in microseconds, it is the largest cost of a map.
const LONGEST: f64 = 1e94;

fn exactly(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::Exact }
}

fn at_most(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::AtMost }
}

fn about(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::Estimate }
}

/// The error of a call that a formula does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotApplicable {
    /// The formula does not have this form.
    NoSuchForm(Form),
    /// Several ranks share the ports of a node.
    SharedPorts,
    /// The ranks are in so many clusters.
    Clusters(u64),
    /// The network has no contention ratio.
    NoContention,
    /// The network does not have the two rails that the algorithm needs.
    NotTwoRails,
    /// The printed formula counts one rail of a node, but the nodes have so many.
    OneRail(u32),
    /// The time is longer than any cost of a map.
    TooLong,
}

impl fmt::Display for NotApplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchForm(Form::Printed) => f.write_str("the papers print no formula for it"),
            Self::NoSuchForm(Form::Exact) => f.write_str("no exact formula is known for it"),
            Self::SharedPorts => {
                f.write_str("the formulas assume one rank per node, but `ranks_per_node` of the network is larger; simulate the schedule instead")
            }
            Self::Clusters(clusters) => {
                write!(f, "the formula assumes one cluster, but the ranks are in {clusters}; simulate the schedule instead")
            }
            Self::NoContention => f.write_str("the network has no `contention` ratio; fit one to measured all-to-alls"),
            Self::NotTwoRails => f.write_str("the algorithm needs two rails; set `rails` to 2 if the nodes have two"),
            Self::OneRail(rails) => {
                write!(f, "the printed formula counts one rail, but the nodes have {rails}; use --form exact, or set `rails` to 1")
            }
            Self::TooLong => f.write_str("the time is above 1e100 microseconds; check the gaps and the unit of the network"),
        }
    }
}

impl std::error::Error for NotApplicable {}
