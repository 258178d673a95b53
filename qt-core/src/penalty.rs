//! The cost of decisions relative to the best ones.

mod measured;
#[cfg(feature = "tools")]
mod write;

pub use measured::{CellPenalty, penalties};
pub(crate) use measured::{best, percent};

use crate::json::PlacedValue;
use crate::problem::Diagnostics;

/// The performance penalty over all measured cells, in per cent: 100 · (t\[chosen\] / t\[best\] − 1); 2006 paper,
/// section 4.2.
///
/// If the map records how often its cells are called, the mean and the median are taken over calls instead of cells.
///
/// The best method of a cell is the cheapest of the candidates. A baseline is not a candidate, unless the map itself
/// chooses it somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Penalty {
    /// The minimum penalty of any cell.
    pub min: f64,
    /// The mean over the cells, or their calls.
    pub mean: f64,
    /// The median over the cells, or their calls; the mean of the middle two if their number is even.
    pub median: f64,
    /// The maximum penalty of any cell.
    pub max: f64,
    /// The number of cells in which the decision has a cost.
    pub cells: u64,
    /// The number of measured cells in which the decision has no cost, or there is no decision.
    pub unpriced: u64,
}

impl Penalty {
    pub(crate) fn read(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Self> {
        let file = value.object(&["min", "mean", "median", "max", "cells", "unpriced"], check)?;
        let mut number = |key: &str| file.require(key, check).and_then(|value| value.number(check));
        let (min, mean, median, max) = (number("min"), number("mean"), number("median"), number("max"));
        let cells = file.require("cells", check).and_then(|value| value.whole(check));
        let unpriced = file.require("unpriced", check).and_then(|value| value.whole(check));
        Some(Self { min: min?, mean: mean?, median: median?, max: max?, cells: cells?, unpriced: unpriced? })
    }
}
