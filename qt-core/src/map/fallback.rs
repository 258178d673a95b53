//! The method that answers where the chosen one may not run.

use super::{DecisionMap, percent};
use crate::domain::MethodIndex;
use crate::fixed_point::{OF_PERCENT, Units, smallest};

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
        let total = |method| (method, self.total_penalty(method, &|penalty| penalty));
        let totals: Vec<(MethodIndex, (u64, f64))> = self.domain.unconditional_methods().map(total).collect();
        let fewest = totals.iter().map(|(_, (unpriced, _))| *unpriced).min()?;
        let totals = totals.into_iter().filter(|(_, (unpriced, _))| *unpriced == fewest);
        let (priced, sums): (Vec<MethodIndex>, Vec<f64>) =
            totals.map(|(method, (_, sum))| (method, sum)).unzip();
        let exact =
            |place: usize, units: Units| self.total_penalty(priced[place], &|penalty| units.count(penalty)).1;
        let best: Vec<MethodIndex> =
            smallest(&sums, OF_PERCENT, exact).into_iter().map(|place| priced[place]).collect();
        let most = best.iter().map(|method| cells[method.get()]).fold(f64::NEG_INFINITY, f64::max);
        best.into_iter().find(|method| cells[method.get()] == most)
    }

    /// Returns the number of measured cells in which a method has no cost, and the sum of its penalties in the others, each
    /// counted by `count`.
    fn total_penalty(&self, method: MethodIndex, count: &dyn Fn(f64) -> f64) -> (u64, f64) {
        let Some(costs) = &self.costs else { return (0, 0.0) };
        let candidates = self.candidates();
        let (mut unpriced, mut total) = (0, 0.0);
        for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell].is_some()) {
            match costs.get(cell, method).zip(costs.best(cell, &candidates)) {
                Some((cost, best)) => total += count(self.weight(cell) * percent(cost, best)),
                None => unpriced += 1,
            }
        }
        (unpriced, total)
    }
}
