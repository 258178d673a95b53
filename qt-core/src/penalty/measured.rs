//! Penalties computed from the costs of a map.

use super::Penalty;
use crate::domain::MethodIndex;
pub(crate) use crate::map::percent;
use crate::map::{Costs, DecisionMap};

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
        Some(CellPenalty { cell, chosen, best: best(costs, cell, &candidates)?, weight: map.weight(cell) })
    };
    Some((0..decisions.len()).filter_map(penalty).collect())
}

/// Returns the minimum cost of any of these methods in a cell.
pub(crate) fn best(costs: &Costs, cell: usize, methods: &[MethodIndex]) -> Option<f64> {
    costs.best(cell, methods)
}
