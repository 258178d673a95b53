//! What decisions cost beside the best ones.

use crate::domain::MethodIndex;
use crate::json::{Value, object};
pub(crate) use crate::map::percent;
use crate::map::{Costs, DecisionMap};
use crate::problem::Diagnostics;

/// The performance penalty over all measured cells, in per cent: 100 · (t\[chosen\] / t\[best\] − 1); 2006 paper,
/// section 4.2.
///
/// Where the map tells how often its cells are called, the mean and the median are over calls, not over cells.
///
/// The best method of a cell is the cheapest of those that may be chosen: a baseline is not, unless the map itself
/// chooses it somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Penalty {
    /// The least penalty of any cell.
    pub min: f64,
    /// The mean over the cells, or their calls.
    pub mean: f64,
    /// The middle one of the cells, or their calls; the mean of the middle two where there are such.
    pub median: f64,
    /// The greatest penalty of any cell.
    pub max: f64,
    /// The cells in which the decision has a cost.
    pub cells: u64,
    /// The measured cells in which it has none, or in which there is no decision.
    pub unpriced: u64,
}

impl Penalty {
    /// The penalty of `decisions`, one for each cell of the map; `None` where the map holds no costs or prices none of
    /// the decisions.
    pub fn of(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Self> {
        Self::over(&penalties(decisions, map)?)
    }

    /// The penalty over these cells; `None` where none of the decisions is priced.
    pub fn over(penalties: &[CellPenalty]) -> Option<Self> {
        let mut priced: Vec<(f64, f64)> =
            penalties.iter().filter_map(|penalty| Some((penalty.percent()?, penalty.weight))).collect();
        priced.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        let (&(min, _), &(max, _)) = (priced.first()?, priced.last()?);
        // Where none of the cells is ever called, all count alike.
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

    /// The penalty as a JSON object in one line.
    pub fn to_json(&self) -> String {
        object([
            ("min", Some(self.min.to_string())),
            ("mean", Some(self.mean.to_string())),
            ("median", Some(self.median.to_string())),
            ("max", Some(self.max.to_string())),
            ("cells", Some(self.cells.to_string())),
            ("unpriced", Some(self.unpriced.to_string())),
        ])
    }

    pub(crate) fn read(value: &Value<'_>, check: &mut Diagnostics) -> Option<Self> {
        let file = value.object(&["min", "mean", "median", "max", "cells", "unpriced"], check)?;
        let mut number = |key: &str| file.require(key, check).and_then(|value| value.number(check));
        let (min, mean, median, max) = (number("min"), number("mean"), number("median"), number("max"));
        let cells = file.require("cells", check).and_then(|value| value.whole(check));
        let unpriced = file.require("unpriced", check).and_then(|value| value.whole(check));
        Some(Self { min: min?, mean: mean?, median: median?, max: max?, cells: cells?, unpriced: unpriced? })
    }
}

/// The penalty below and above which lie halves of the weight, of penalties in increasing order.
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

/// What a decision costs in one measured cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPenalty {
    /// The cell, row-major.
    pub cell: usize,
    /// The cost of the decision; `None` where it has none, or there is no decision.
    pub chosen: Option<f64>,
    /// The cost of the best method.
    pub best: f64,
    /// How much the cell counts beside the others.
    pub weight: f64,
}

impl CellPenalty {
    /// The penalty in per cent, if the decision has a cost.
    pub fn percent(&self) -> Option<f64> {
        Some(percent(self.chosen?, self.best))
    }
}

/// What `decisions` cost in each cell of the map that has costs; `None` where the map holds none.
///
/// # Panics
///
/// If there is not one decision for each cell.
pub fn penalties(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Vec<CellPenalty>> {
    assert_eq!(decisions.len(), map.cells().len(), "one decision for each cell");
    let costs = map.costs()?;
    let candidates = map.candidates();
    let penalty = |cell: usize| {
        map.cells()[cell]?;
        let chosen = decisions[cell].and_then(|method| costs.get(cell, method));
        Some(CellPenalty { cell, chosen, best: best(costs, cell, &candidates)?, weight: map.weight(cell) })
    };
    Some((0..decisions.len()).filter_map(penalty).collect())
}

/// The least cost of any of these methods in a cell.
pub(crate) fn best(costs: &Costs, cell: usize, methods: &[MethodIndex]) -> Option<f64> {
    costs.best(cell, methods)
}
