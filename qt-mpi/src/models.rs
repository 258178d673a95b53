//! Times of collectives by formula, from the parameters of a [`Network`](crate::Network).
//!
//! Most formulas are those of Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
//! Communications" (2004), Tables 1 to 3; the broadcast over two rails is that of Chiba, Endo and Matsuoka (2006),
//! Table 1. Each comes in two forms: as it is **printed**, and **exact**, which is what its schedule takes under the
//! assumptions that all of the rows share:
//!
//! - Every rank has one port for sending and one for receiving, which work at the same time.
//! - A message of `m` bytes holds the sender's port for `g(m)`; `L` after it began it reaches the receiver's port and holds
//!   it for `g(m)`; arrivals queue. So one message takes `L + g(m)`.
//! - The overheads play no part but in an all-to-all.
//!
//! A communicator of one rank takes no time, whatever a formula says.
//!
//! # Notation
//!
//! `P` ranks, `K = ⌈log2 P⌉`, `F = ⌊log2 P⌋`, `m` bytes in `k` segments of `s` bytes, the last of `r`.

mod alltoall;
mod binary;
mod binomial;
mod call;
mod knomial;
mod linear;
mod multirail;
mod pipeline;
mod reduce;
mod scatter;
mod scatter_allgather;
mod segment;
mod split_binary;

pub use alltoall::bounds as alltoall_bounds;
pub use call::Call;
pub use multirail::{Fabric, Row};
pub use segment::{Found, climb, scan, search};

use std::fmt;

use crate::collective::Collective;
use crate::similar::did_you_mean;

/// Which version of a formula is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it stands in the paper, misprints included.
    Printed,
    /// What the schedule takes under the paper's assumptions, or a bound of it.
    Exact,
}

/// How a formula stands to the time of the schedule under its assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is that time.
    Exact,
    /// The schedule takes no longer.
    AtMost,
    /// It may be above or below.
    Estimate,
}

/// What a formula gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The time in seconds.
    pub seconds: f64,
    /// What is known of it.
    pub claim: Claim,
}

/// The function of one form of a formula; it is called with two ranks at least.
pub(crate) type Evaluate = fn(&Call<'_>) -> Result<Prediction, NotApplicable>;

/// A formula for the time of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The collective.
    pub collective: Collective,
    /// The algorithm's name, as schedules have it where there is one.
    pub algorithm: &'static str,
    /// Whether the segment size plays a part.
    pub segmented: bool,
    /// The paper, table and row that it stands in.
    pub source: &'static str,
    pub(crate) printed: Option<Evaluate>,
    pub(crate) exact: Option<Evaluate>,
    /// Whether the formula knows of clusters and the network between them.
    pub(crate) two_levels: bool,
}

/// Every formula, by collective.
pub const FORMULAS: &[&Formula] = &[
    &linear::BCAST,
    &linear::RENDEZVOUS,
    &pipeline::BCAST,
    &pipeline::RENDEZVOUS,
    &binary::BCAST,
    &binomial::BCAST,
    &binomial::RENDEZVOUS,
    &split_binary::BCAST,
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
];

/// Returns the formulas of a collective.
pub fn formulas(collective: Collective) -> impl Iterator<Item = &'static Formula> {
    FORMULAS.iter().copied().filter(move |formula| formula.collective == collective)
}

/// Returns the formula of an algorithm.
///
/// # Errors
///
/// The collective has no formula of this name.
pub fn formula(collective: Collective, algorithm: &str) -> Result<&'static Formula, UnknownFormula> {
    formulas(collective)
        .find(|formula| formula.algorithm == algorithm)
        .ok_or_else(|| UnknownFormula { collective, algorithm: algorithm.to_owned() })
}

impl Formula {
    /// Returns the time of a call.
    ///
    /// # Errors
    ///
    /// The formula has no such form or knows nothing of such calls.
    pub fn predict(&self, form: Form, call: &Call<'_>) -> Result<Prediction, NotApplicable> {
        let evaluate = match form {
            Form::Printed => self.printed,
            Form::Exact => self.exact,
        };
        let evaluate = evaluate.ok_or(NotApplicable::NoSuchForm { form })?;
        if call.ranks() < 2 {
            return Ok(exactly(0.0));
        }
        let description = call.network().description();
        if description.ranks_per_node > 1 {
            return Err(NotApplicable::SharedPorts);
        }
        if !self.two_levels && call.clusters() > 1 {
            return Err(NotApplicable::Clusters { clusters: call.clusters() });
        }
        evaluate(call)
    }
}

fn exactly(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::Exact }
}

fn at_most(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::AtMost }
}

fn about(seconds: f64) -> Prediction {
    Prediction { seconds, claim: Claim::Estimate }
}

/// The error of a call that a formula knows nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotApplicable {
    /// The formula has no such form.
    NoSuchForm {
        /// The form that was asked for.
        form: Form,
    },
    /// Several ranks share the ports of a node.
    SharedPorts,
    /// The ranks are in several clusters.
    Clusters {
        /// In how many.
        clusters: u64,
    },
    /// The network has no contention ratio.
    NoContention,
    /// The network has not the two rails that the algorithm takes.
    NotTwoRails,
}

impl fmt::Display for NotApplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchForm { form: Form::Printed } => f.write_str("the papers print no formula for it"),
            Self::NoSuchForm { form: Form::Exact } => f.write_str("no exact formula is known for it"),
            Self::SharedPorts => {
                f.write_str("formulas know one rank on a node only, but the network has more `ranks_per_node`; simulate it")
            }
            Self::Clusters { clusters } => {
                write!(f, "the formula knows one cluster only, but the ranks are in {clusters}; simulate it")
            }
            Self::NoContention => f.write_str("the network has no `contention` ratio; fit one to measured all-to-alls"),
            Self::NotTwoRails => f.write_str("the algorithm takes two rails; set `rails` to 2 if the nodes have them"),
        }
    }
}

impl std::error::Error for NotApplicable {}

/// The error of a name that no formula of the collective has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormula {
    /// The collective.
    pub collective: Collective,
    /// The name.
    pub algorithm: String,
}

impl fmt::Display for UnknownFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { collective, algorithm } = self;
        let names: Vec<&str> = formulas(*collective).map(|formula| formula.algorithm).collect();
        write!(f, "{collective} has no formula for `{algorithm}`")?;
        if let Some(like) = did_you_mean(algorithm, names.iter().copied()) {
            write!(f, " (did you mean `{like}`?)")?;
        }
        if names.is_empty() {
            f.write_str("; it has none at all, simulate it")
        } else {
            write!(f, "; it has those for {}", names.join(", "))
        }
    }
}

impl std::error::Error for UnknownFormula {}
