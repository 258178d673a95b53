//! Detection of maps without decisions, and of costs that contradict the cells.

use super::{DecisionMap, percent};

/// The tolerance for costs that were rounded, in per cent.
const ROUNDED: f64 = 1.0;

impl DecisionMap {
    /// Returns a warning if the map has no decision at all, or contradicts itself: if the method of a cell costs more than another that may
    /// run there.
    pub fn warning(&self) -> Option<String> {
        if self.cells.iter().all(Option::is_none) {
            return Some("every cell is null: nothing was measured, and no size has a decision".to_owned());
        }
        let costs = self.costs.as_ref()?;
        let candidates = self.candidates();
        let mut worst: Option<(f64, usize)> = None;
        let mut cells = 0;
        for (cell, method) in self.cells.iter().enumerate() {
            let sizes = self.domain.sizes(cell);
            let runs: Vec<_> =
                candidates.iter().copied().filter(|&method| self.domain.may_run(method, &sizes)).collect();
            let chosen = method.and_then(|method| costs.get(cell, method));
            let Some((chosen, best)) = chosen.zip(costs.best(cell, &runs)) else { continue };
            let penalty = percent(chosen, best);
            if penalty > ROUNDED {
                cells += 1;
                if worst.is_none_or(|(most, _)| penalty > most) {
                    worst = Some((penalty, cell));
                }
            }
        }
        let (penalty, cell) = worst?;
        let sizes = self.domain.axes().iter().zip(self.shape().samples(cell));
        let sizes: Vec<String> =
            sizes.map(|(axis, sample)| format!("{} = {}", axis.name, axis.sample(sample))).collect();
        let label = self.cells[cell].map(|method| self.domain.method(method).label()).unwrap_or_default();
        let cells = if cells == 1 { "a cell".to_owned() } else { format!("{cells} cells") };
        Some(format!(
            "`costs` contradict `cells` in {cells}: at {}, `{label}` costs {penalty:.0} % more than the best method",
            sizes.join(", ")
        ))
    }
}
