//! The two papers that print formulas, and the rows of their tables.

use super::call::Call;
use super::{Claim, Form, Formula, NotApplicable, Prediction};
use qtdec_mpi_schedule::collective::Collective::{self, Alltoall, Bcast, Gather, Scatter};

/// A paper that prints formulas.
///
/// The variants are complete: there are two such papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Barchet-Estefanel and Mounié 2004, whose `g` is the gap of one port.
    IntraCluster,
    /// Chiba, Endo and Matsuoka 2006, whose `b` is the rate of all rails of a node.
    Multirail,
}

/// A row of a paper's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The collective.
    pub collective: Collective,
    /// The algorithm's name here.
    pub algorithm: &'static str,
    /// Whether the row is that of a message in segments.
    pub cut: bool,
    /// The name in the paper.
    pub name: &'static str,
}

const fn row(collective: Collective, algorithm: &'static str, cut: bool, name: &'static str) -> Row {
    Row { collective, algorithm, cut, name }
}

/// Tables 1 to 3 of the paper of 2004, which says of a gather only that it mirrors a scatter.
const INTRA_CLUSTER: [Row; 17] = [
    row(Bcast, "linear", false, "Flat Tree"),
    row(Bcast, "linear_rendezvous", false, "Flat Tree Rendezvous"),
    row(Bcast, "linear", true, "Segmented Flat Tree"),
    row(Bcast, "pipeline", false, "Chain"),
    row(Bcast, "pipeline_rendezvous", false, "Chain Rendezvous"),
    row(Bcast, "pipeline", true, "Segmented Chain (Pipeline)"),
    row(Bcast, "binary", false, "Binary Tree"),
    row(Bcast, "binomial", false, "Binomial Tree"),
    row(Bcast, "binomial_rendezvous", false, "Binomial Tree Rendezvous"),
    row(Bcast, "binomial", true, "Segmented Binomial Tree"),
    row(Scatter, "linear", false, "Flat Tree"),
    row(Scatter, "chain", false, "Chain"),
    row(Scatter, "binomial", false, "Binomial Tree"),
    row(Gather, "linear", false, "Flat Tree, mirrored"),
    row(Gather, "chain", false, "Chain, mirrored"),
    row(Gather, "binomial", false, "Binomial Tree, mirrored"),
    row(Alltoall, "direct", false, "between the bounds"),
];

/// Table 1 of the paper of 2006. Its chain, binary tree and own algorithm send segments whose start-up it neglects.
const MULTIRAIL: [Row; 5] = [
    row(Bcast, "multirail", false, "multirail"),
    row(Bcast, "scatter_allgather", false, "van de Geijn"),
    row(Bcast, "binomial", false, "binomial tree"),
    row(Bcast, "binary", false, "binary tree"),
    row(Bcast, "pipeline", false, "chain"),
];

impl Paper {
    /// Every paper.
    pub const ALL: [Self; 2] = [Self::IntraCluster, Self::Multirail];

    /// Returns the short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IntraCluster => "intra-cluster",
            Self::Multirail => "multirail",
        }
    }

    /// Returns the rows of the paper's tables.
    pub const fn rows(self) -> &'static [Row] {
        match self {
            Self::IntraCluster => &INTRA_CLUSTER,
            Self::Multirail => &MULTIRAIL,
        }
    }

    /// Returns the row of an algorithm for a message in segments, or for one without.
    pub fn row(self, collective: Collective, algorithm: &str, cut: bool) -> Option<&'static Row> {
        let rows = self.rows().iter();
        rows.filter(|row| row.collective == collective)
            .find(|row| row.algorithm == algorithm && row.cut == cut)
    }

    /// Returns whether the paper has a formula for messages of this algorithm in segments.
    pub(crate) fn segments(self, collective: Collective, algorithm: &str) -> bool {
        self.row(collective, algorithm, true).is_some()
    }

    /// Returns the time of a call by the formula that this paper prints, in its own units.
    ///
    /// # Errors
    ///
    /// Fails if the paper does not print the formula, or if the formula does not cover such calls.
    pub fn predict(self, formula: &Formula, call: &Call<'_>) -> Result<Prediction, NotApplicable> {
        let cut = call.cuts().count > 1.0;
        if self.row(formula.collective, formula.algorithm, cut).is_none() {
            return Err(NotApplicable::NoSuchForm { form: Form::Printed });
        }
        formula.evaluate(Form::Printed, self == Self::Multirail, call)
    }
}

impl Claim {
    /// Returns whether a formula is an upper bound.
    pub fn is_bound(self) -> bool {
        self == Self::AtMost
    }
}
