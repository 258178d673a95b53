//! The cost of every method at every point.

use super::DecisionMap;
use crate::domain::MethodIndex;
use crate::problem::{Diagnostics, Path, Problem};
use crate::shape::Shape;

/// The range of costs. Within it, ratios of two costs and sums over all cells and calls are finite.
const MIN: f64 = 1e-100;
const MAX: f64 = 1e100;

/// The measured cost of every method in every cell.
///
/// ```
/// use qtdec_core::{Axis, DecisionMap, Method};
///
/// let methods = vec![Method::new("simple"), Method::new("blocked")];
/// let map = DecisionMap::from_costs(vec![Axis::new("rows", [1])], methods, |_, method| [3.0, 2.0][method.get()])?;
/// let simple = map.domain().find_method("simple").unwrap();
/// assert_eq!(map.costs().unwrap().get(0, simple), Some(3.0));
/// # Ok::<(), qtdec_core::Problems>(())
/// ```
#[derive(Clone, Debug)]
pub struct Costs {
    /// The unit, such as `us`; for display.
    pub unit: Option<String>,
    /// The statistic over the repetitions, such as `median`; for display.
    pub statistic: Option<String>,
    /// The costs, with cells in row-major order and one cost for each method within a cell; NaN where a method was not measured.
    ///
    /// NaN takes less space than `None`, and there may be a hundred million costs.
    values: Vec<f64>,
    methods: usize,
}

impl Costs {
    /// Creates the costs of `methods` methods, with cells in row-major order and one cost for each method within a cell.
    pub fn new(methods: usize, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values = values.into_iter().map(|cost| cost.unwrap_or(f64::NAN)).collect();
        Self { unit: None, statistic: None, values, methods }
    }

    /// Returns the cost of a method in a cell, if it was measured there.
    pub fn get(&self, cell: usize, method: MethodIndex) -> Option<f64> {
        Some(self.values[cell * self.methods + method.get()]).filter(|cost| !cost.is_nan())
    }

    /// Returns the method with the lowest cost in a cell, the first of these methods on a tie; `None` if none of them was
    /// measured.
    pub fn cheapest(
        &self,
        cell: usize,
        methods: impl IntoIterator<Item = MethodIndex>,
    ) -> Option<MethodIndex> {
        let priced = methods.into_iter().filter_map(|method| Some((method, self.get(cell, method)?)));
        priced.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(method, _)| method)
    }

    pub(crate) fn best(&self, cell: usize, methods: &[MethodIndex]) -> Option<f64> {
        methods.iter().filter_map(|&method| self.get(cell, method)).min_by(f64::total_cmp)
    }

    pub(super) fn cell(&self, cell: usize) -> impl Iterator<Item = Option<f64>> {
        self.values[cell * self.methods..][..self.methods]
            .iter()
            .map(|&cost| (!cost.is_nan()).then_some(cost))
    }

    pub(super) fn check(&self, map: &DecisionMap, check: &mut Diagnostics) {
        let shape = map.shape();
        let expected = shape.cells() * map.domain().methods().len();
        if self.values.len() != expected || self.methods != map.domain().methods().len() {
            let message = format!("{} costs for {expected} pairs of cell and method", self.values.len());
            check.add(Problem::new(values_path(), message));
            return;
        }
        for (offset, &cost) in self.values.iter().enumerate() {
            if !cost.is_nan() && !is_cost(cost) {
                check.add_with(|| refused(cost, &shape, offset / self.methods, offset % self.methods));
            }
        }
    }
}

pub(super) fn is_cost(cost: f64) -> bool {
    (MIN..=MAX).contains(&cost)
}

pub(super) fn refused(cost: f64, shape: &Shape, cell: usize, method: usize) -> Problem {
    let place = values_path().indices(&shape.samples(cell)).index(method);
    if cost.is_nan() || cost <= 0.0 || cost.is_infinite() {
        return Problem::new(place, format!("the cost {cost} is not a finite number above 0"))
            .help("write `null` where a method was not measured");
    }
    Problem::new(place, format!("the cost {cost:e} is not between {MIN:e} and {MAX:e}"))
        .help("use another unit for the costs")
}

fn values_path() -> Path {
    Path::root().key("costs").key("values")
}

/// Returns by how much one cost exceeds another, in per cent, limited to finite numbers so that a file with the result can be read
/// again.
pub(crate) fn percent(chosen: f64, best: f64) -> f64 {
    (100.0 * (chosen / best - 1.0)).min(f64::MAX)
}
