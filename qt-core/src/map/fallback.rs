//! The method that answers where the chosen one may not run.

use std::cmp::Ordering;

use super::{DecisionMap, percent};
use crate::domain::MethodIndex;

impl DecisionMap {
    /// Returns the method that answers off the grid where the method of the cell may not run: a baseline, or else the best method without
    /// requirements. The best is that of the lowest cost over all cells, or of the most cells if there are no costs. Returns `None` if no
    /// method has requirements, or if all do.
    pub fn fallback(&self) -> Option<MethodIndex> {
        self.fallback
    }

    pub(super) fn find_fallback(&self) -> Option<MethodIndex> {
        if self.domain.methods().iter().all(|method| method.requires.is_empty()) {
            return None;
        }
        if let Some(baseline) =
            self.domain.unconditional_methods().find(|method| self.domain.method(*method).baseline)
        {
            return Some(baseline);
        }
        let mut cells = vec![0.0; self.domain.methods().len()];
        for (cell, method) in self.cells.iter().enumerate() {
            if let Some(method) = method {
                cells[method.get()] += self.weight(cell);
            }
        }
        // Cells without a cost, penalties, number of cells, and the method: the minimum is the best.
        let rank = |method: MethodIndex| {
            let (unpriced, penalty) = self.total_penalty(method);
            (unpriced, penalty, -cells[method.get()], method)
        };
        let ranks = self.domain.unconditional_methods().map(rank);
        let best = ranks.min_by(|one, other| one.partial_cmp(other).unwrap_or(Ordering::Equal))?;
        Some(best.3)
    }

    /// Returns the number of measured cells in which a method has no cost, and the sum of its penalties in the others.
    fn total_penalty(&self, method: MethodIndex) -> (u64, f64) {
        let Some(costs) = &self.costs else { return (0, 0.0) };
        let candidates = self.candidates();
        let (mut unpriced, mut total) = (0, 0.0);
        for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell].is_some()) {
            match costs.get(cell, method).zip(costs.best(cell, &candidates)) {
                Some((cost, best)) => total += self.weight(cell) * percent(cost, best),
                None => unpriced += 1,
            }
        }
        (unpriced, total)
    }
}
