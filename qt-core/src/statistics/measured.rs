//! The quality of decisions, computed from the map.

use super::Quality;
use crate::domain::MethodIndex;
use crate::map::DecisionMap;
use crate::penalty::Penalty;

impl Quality {
    /// Returns the quality of `decisions`, one for each cell of the map.
    pub fn from_decisions(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Self {
        let is_measured = |cell: &usize| !map.is_placeholder() && map.cells()[*cell].is_some();
        let measured = || (0..decisions.len()).filter(is_measured);
        let right = |cell: usize| {
            decisions[cell].is_some_and(|method| map.acceptable_methods(cell).contains(&method))
        };
        Self {
            cells: measured().count() as u64,
            mismatches: measured().filter(|&cell| !right(cell)).count() as u64,
            penalty: Penalty::from_decisions(decisions, map),
        }
    }
}
