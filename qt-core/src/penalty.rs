//! The cost of decisions relative to the best ones.

use crate::domain::MethodIndex;
use crate::json::PlacedValue;
use crate::map::{DecisionMap, percent};
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
    /// Returns the penalty of `decisions`, one for each cell of the map; `None` if the map has no costs or no decision has a cost.
    pub fn from_decisions(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Self> {
        Self::over(&penalties(decisions, map)?)
    }

    /// Returns the penalty over these cells; `None` if no decision has a cost.
    pub fn over(penalties: &[CellPenalty]) -> Option<Self> {
        let mut priced: Vec<(f64, f64)> =
            penalties.iter().filter_map(|penalty| Some((penalty.percent()?, penalty.weight))).collect();
        priced.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        let (&(min, _), &(max, _)) = (priced.first()?, priced.last()?);
        // If none of the cells is ever called, all have the same weight.
        if priced.iter().all(|(_, weight)| *weight == 0.0) {
            for (_, weight) in &mut priced {
                *weight = 1.0;
            }
        }
        let weight: f64 = priced.iter().map(|(_, weight)| weight).sum();
        let mean = priced.iter().map(|(percent, weight)| percent * weight).sum::<f64>() / weight;
        Some(Self {
            min,
            mean: mean.min(f64::MAX),
            median: median(&priced, weight / 2.0),
            max,
            cells: priced.len() as u64,
            unpriced: (penalties.len() - priced.len()) as u64,
        })
    }

    pub(crate) fn read(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Self> {
        let file = value.object(&["min", "mean", "median", "max", "cells", "unpriced"], check)?;
        let mut number = |key: &str| file.require(key, check).and_then(|value| value.number(check));
        let (min, mean, median, max) = (number("min"), number("mean"), number("median"), number("max"));
        let cells = file.require("cells", check).and_then(|value| value.whole(check));
        let unpriced = file.require("unpriced", check).and_then(|value| value.whole(check));
        Some(Self { min: min?, mean: mean?, median: median?, max: max?, cells: cells?, unpriced: unpriced? })
    }

    /// Returns the penalty as a JSON object on one line.
    #[cfg(feature = "tools")]
    pub fn to_json(&self) -> String {
        crate::json::object([
            ("min", Some(self.min.to_string())),
            ("mean", Some(self.mean.to_string())),
            ("median", Some(self.median.to_string())),
            ("max", Some(self.max.to_string())),
            ("cells", Some(self.cells.to_string())),
            ("unpriced", Some(self.unpriced.to_string())),
        ])
    }
}

/// Returns the weighted median of penalties in increasing order.
fn median(priced: &[(f64, f64)], half: f64) -> f64 {
    let mut below = 0.0;
    let mut rest = priced.iter().filter(|(_, weight)| *weight > 0.0).peekable();
    while let Some((percent, weight)) = rest.next() {
        below += weight;
        if below >= half {
            let next = rest.peek().filter(|_| below == half);
            return next.map_or(*percent, |(next, _)| f64::midpoint(*percent, *next));
        }
    }
    priced[priced.len() - 1].0
}

/// The cost of a decision in one measured cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPenalty {
    /// The row-major index of the cell.
    pub cell: usize,
    /// The cost of the decision; `None` if it has none, or there is no decision.
    pub chosen: Option<f64>,
    /// The cost of the best method.
    pub best: f64,
    /// The weight of the cell relative to the others.
    pub weight: f64,
}

impl CellPenalty {
    /// Returns the penalty in per cent, if the decision has a cost.
    pub fn percent(&self) -> Option<f64> {
        Some(percent(self.chosen?, self.best))
    }
}

/// Returns the cost of `decisions` in each cell of the map that has costs; `None` if the map has none.
///
/// # Panics
///
/// Panics if there is not one decision for each cell.
pub fn penalties(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Vec<CellPenalty>> {
    assert_eq!(decisions.len(), map.cells().len(), "one decision for each cell");
    let costs = map.costs()?;
    let candidates = map.candidates();
    let penalty = |cell: usize| {
        map.cells()[cell]?;
        let chosen = decisions[cell].and_then(|method| costs.get(cell, method));
        Some(CellPenalty { cell, chosen, best: costs.best(cell, &candidates)?, weight: map.weight(cell) })
    };
    Some((0..decisions.len()).filter_map(penalty).collect())
}
