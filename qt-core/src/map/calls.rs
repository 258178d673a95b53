//! The number of calls of every cell.

use super::DecisionMap;
use crate::problem::{Diagnostics, Path, Problem};

/// The number of calls that a program makes at the sizes of every cell. Decisions in frequently called cells have more weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Calls(Vec<f64>);

impl Calls {
    /// Creates calls from a row-major list of cells, in any unit.
    pub fn new(cells: impl IntoIterator<Item = f64>) -> Self {
        Self(cells.into_iter().collect())
    }

    /// Returns the calls of a cell.
    pub fn get(&self, cell: usize) -> f64 {
        self.0[cell]
    }

    pub(super) fn check(&self, map: &DecisionMap, check: &mut Diagnostics) {
        let shape = map.shape();
        let path = Path::root().key("calls");
        if self.0.len() != shape.cells() {
            let message = format!("calls of {} cells for a grid of {}", self.0.len(), shape.cells());
            check.add(Problem::new(path, message));
            return;
        }
        let sound = |calls: f64| (0.0..=MAX).contains(&calls);
        for (cell, &calls) in self.0.iter().enumerate().filter(|&(_, &calls)| !sound(calls)) {
            check.add_with(|| {
                let message = format!("a cell cannot be called {calls} times");
                let help = format!("write a number from 0 to {MAX:e}");
                Problem::new(path.indices(&shape.samples(cell)), message).help(help)
            });
        }
        let measured = map.cells().iter().zip(&self.0).filter(|(method, _)| method.is_some());
        if measured.clone().count() > 0 && !measured.into_iter().any(|(_, &calls)| calls > 0.0) {
            let problem = Problem::new(path, "the calls are 0 in every measured cell");
            check.add(problem.help("omit `calls` to give all cells the same weight"));
        }
    }
}

/// The maximum calls of a cell, chosen so that sums over all cells of a grid stay finite.
const MAX: f64 = 1e18;
