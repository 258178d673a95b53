//! The five broadcasts of Chiba, Endo and Matsuoka, "MPI Collective Operations Algorithm by using Multirails for Grid
//! Environment" (2006), Table 1 and section 6: one cluster, or two distant clusters.
//!
//! The paper's parameters are a latency `l`, the bandwidth `b` of a node (the sum of its two cards) and the latency `L`
//! between the clusters; the start-up of a segment is neglected.

use super::call::{Call, ceil_log2};
use super::{Formula, NotApplicable, Prediction, about, exactly};
use crate::network::Level;

/// The parameters of the paper's formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// The number of ranks `p`.
    pub ranks: u64,
    /// The latency `l` within a cluster, in seconds.
    pub latency: f64,
    /// The time `M/b` to send the message at the full rate of a node, in seconds.
    pub transfer: f64,
    /// The latency `L` between two clusters, in seconds, or `None` for one cluster.
    pub between: Option<f64>,
}

/// A row of the paper's Table 1.
///
/// The variants are complete: the table has no other rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperRow {
    /// The paper's own algorithm: halves of the message in two trees, each over one card of every node.
    Multirail,
    /// Scatter and allgather.
    VanDeGeijn,
    /// The binomial tree.
    Binomial,
    /// The pipelined binary tree.
    Binary,
    /// The pipelined chain, which crosses to the other cluster once.
    Chain,
}

impl Fabric {
    /// Returns the parameters of a call. `M/b` is the gap of the message divided by the number of rails.
    pub fn from_call(call: &Call<'_>) -> Self {
        let network = call.network;
        let bytes = call.bytes;
        Self {
            ranks: call.ranks,
            latency: network.latency(bytes),
            transfer: network.gap(bytes) / f64::from(network.description().rails),
            between: (call.clusters() > 1).then(|| network.cost(Level::Between, bytes).latency),
        }
    }

    /// Returns the time of a row as printed, in seconds, or `None` if the paper has no formula for two clusters.
    ///
    /// With two clusters, multirail and chain pay `L` once. The root of the binary tree also feeds the other cluster, which costs
    /// `L + M/b`.
    pub fn printed(&self, row: PaperRow) -> Option<f64> {
        let Self { ranks, latency, transfer, between } = *self;
        let log = f64::from(ceil_log2(ranks));
        let p = ranks as f64;
        let crossing = between.unwrap_or(0.0);
        match row {
            PaperRow::Multirail => Some(log * latency + transfer + crossing),
            PaperRow::Chain => Some((p - 1.0) * latency + transfer + crossing),
            PaperRow::Binary if between.is_some() => Some(log * latency + 3.0 * transfer + crossing),
            PaperRow::Binary => Some(log * latency + 2.0 * transfer),
            PaperRow::VanDeGeijn | PaperRow::Binomial if between.is_some() => None,
            PaperRow::VanDeGeijn => Some(2.0 * log * latency + 2.0 * p / (p - 1.0) * transfer),
            PaperRow::Binomial => Some(log * (latency + transfer)),
        }
    }

    /// Returns the time of a row without its misprint, in seconds: van de Geijn's algorithm moves `(p−1)/p` of the message twice, as
    /// the sum in the same sentence of the paper shows.
    pub fn corrected(&self, row: PaperRow) -> Option<f64> {
        let Self { ranks, latency, transfer, between } = *self;
        let p = ranks as f64;
        match row {
            PaperRow::VanDeGeijn if between.is_none() => {
                Some(2.0 * f64::from(ceil_log2(ranks)) * latency + 2.0 * (p - 1.0) / p * transfer)
            }
            row => self.printed(row),
        }
    }
}

/// Chiba, Endo and Matsuoka, Table 1, multirail: `log2 p · l + M/b`, plus `L` for two clusters.
///
/// Exact for one cluster: with `k` segments of `s` bytes per half, the last of `r`, and the gap of one rail, a tree of height
/// `h = ⌈log2 p⌉` whose ranks serve their children on different rails takes `(h−1) (g(s) + L) + (k−1) g(s) + g(r) + L`. The
/// paper's segments must reach every rank at full rate, so it is an estimate if ports must be shared.
pub(super) const BCAST: Formula =
    Formula::bcast("multirail", "Chiba, Endo and Matsuoka 2006, Table 1, multirail")
        .segmented()
        .of_two_levels()
        .printed(|call| printed("multirail", call))
        .exact(|call| {
            two_rails(call)?;
            if call.clusters() > 1 {
                return Err(NotApplicable::Clusters(call.clusters()));
            }
            let cuts = call.half_cuts();
            let (gap, latency) = (call.gap(cuts.full), call.latency(cuts.full));
            let height = f64::from(call.ceil_log2());
            let seconds = (height - 1.0) * (gap + latency)
                + (cuts.count - 1.0) * gap
                + call.gap(cuts.last)
                + call.latency(cuts.last);
            Ok(if call.ranks == 2 { exactly(seconds) } else { about(seconds) })
        });

/// The algorithms of Table 1 under our names.
const TABLE: [(&str, PaperRow); 5] = [
    ("multirail", PaperRow::Multirail),
    ("scatter_allgather", PaperRow::VanDeGeijn),
    ("binomial", PaperRow::Binomial),
    ("binary", PaperRow::Binary),
    ("pipeline", PaperRow::Chain),
];

/// Returns the printed time of a broadcast between nodes of several rails.
///
/// Only this paper counts all rails of a node. The other papers' formulas count one port, and would be compared in another unit.
pub(super) fn printed(algorithm: &str, call: &Call<'_>) -> Result<Prediction, NotApplicable> {
    let row = TABLE.iter().find(|(name, _)| *name == algorithm).map(|(_, row)| *row);
    if row == Some(PaperRow::Multirail) {
        two_rails(call)?;
    }
    of_table(row.ok_or(NotApplicable::OneRail(call.network.description().rails))?, call)
}

/// Returns the printed time of a row for one cluster or two.
pub(super) fn of_table(row: PaperRow, call: &Call<'_>) -> Result<Prediction, NotApplicable> {
    let clusters = call.clusters();
    let seconds = if clusters > 2 { None } else { Fabric::from_call(call).printed(row) };
    seconds.map(about).ok_or(NotApplicable::Clusters(clusters))
}

fn two_rails(call: &Call<'_>) -> Result<(), NotApplicable> {
    if call.network.description().rails < 2 { Err(NotApplicable::NotTwoRails) } else { Ok(()) }
}
