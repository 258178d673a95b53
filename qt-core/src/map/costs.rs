//! What every method costs at every point.

use super::DecisionMap;
use crate::domain::MethodIndex;
use crate::problem::{Diagnostics, Path, Problem};

/// Between these, ratios of two costs and sums over all cells and calls are numbers.
const LEAST: f64 = 1e-100;
const MOST: f64 = 1e100;

/// What every method costs in every cell, as measured.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The unit, such as `us`; for people.
    pub unit: Option<String>,
    /// What was made of the repeats, such as `median`; for people.
    pub statistic: Option<String>,
    /// Cells row-major, within each cell one cost for each method; NaN where a method was not measured.
    ///
    /// NaN and not `None` because there may be a hundred million of them.
    values: Vec<f64>,
    methods: usize,
}

impl Costs {
    /// Costs of `methods` methods: cells row-major, within each cell one cost for each method.
    pub fn new(methods: usize, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values = values.into_iter().map(|cost| cost.unwrap_or(f64::NAN)).collect();
        Self { unit: None, statistic: None, values, methods }
    }

    /// What a method costs in a cell, if it was measured there.
    pub fn get(&self, cell: usize, method: MethodIndex) -> Option<f64> {
        Some(self.values[cell * self.methods + method.get()]).filter(|cost| !cost.is_nan())
    }

    /// The least cost of any of these methods in a cell.
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
        let path = Path::root().key("costs").key("values");
        let expected = shape.cells() * map.domain().methods().len();
        if self.values.len() != expected || self.methods != map.domain().methods().len() {
            let message = format!("{} costs for {expected} pairs of cell and method", self.values.len());
            check.add(Problem::new(path, message));
            return;
        }
        for (offset, &cost) in self.values.iter().enumerate() {
            if !cost.is_nan() && !(LEAST..=MOST).contains(&cost) {
                check.add_with(|| {
                    let (cell, method) = (offset / self.methods, offset % self.methods);
                    let place = path.indices(&shape.samples(cell)).index(method);
                    if cost <= 0.0 || cost.is_infinite() {
                        return Problem::new(place, format!("the cost {cost} is not above 0 and finite"))
                            .help("write `null` where a method was not measured");
                    }
                    Problem::new(place, format!("the cost {cost:e} is not from {LEAST:e} to {MOST:e}"))
                        .help("write the costs in another unit")
                });
            }
        }
    }
}

/// How much more one cost is than another, in per cent; never more than a number can be: what is written to a file can be read
/// again.
pub(crate) fn percent(chosen: f64, best: f64) -> f64 {
    (100.0 * (chosen / best - 1.0)).min(f64::MAX)
}
