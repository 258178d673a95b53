//! The part of a map at some samples of one axis.

use super::{Calls, Costs, DecisionMap, Ties};
use crate::domain::{Domain, MethodIndex, Samples};
use crate::problem::Problems;
use crate::shape::Shape;

impl DecisionMap {
    /// Returns the map at some samples of one axis, given by their positions in increasing order, as if the others had not been
    /// measured. It has the same methods, and the ties, costs and calls of its cells; it has no source and no recipe.
    ///
    /// ```
    /// use qtdec_core::{Axis, DecisionMap, Method};
    ///
    /// let methods = vec![Method::new("simple"), Method::new("blocked")];
    /// let map = DecisionMap::from_costs(vec![Axis::new("rows", [1, 16, 256])], methods, |point, method| {
    ///     [10.0 * point[0] as f64, 100.0][method.get()]
    /// })?;
    /// let part = map.at_samples(0, &[0, 2])?;
    /// assert_eq!(part.domain().axes()[0].values(), Some(&[1, 256][..]));
    /// assert_eq!(part.cells(), [map.cells()[0], map.cells()[2]]);
    /// # Ok::<(), qtdec_core::Problems>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for samples that make no valid axis: too few, or not increasing.
    ///
    /// # Panics
    ///
    /// Panics if there is no such axis or sample.
    pub fn at_samples(&self, axis: usize, samples: &[usize]) -> Result<Self, Problems> {
        let mut axes = self.domain.axes().to_vec();
        axes[axis].samples = match &axes[axis].samples {
            Samples::Values(values) => Samples::Values(samples.iter().map(|&at| values[at]).collect()),
            Samples::Labels(labels) => {
                Samples::Labels(samples.iter().map(|&at| labels[at].clone()).collect())
            }
        };
        let collective = self.domain.collective().map(str::to_owned);
        let domain = Domain::new(collective, axes, self.domain.methods().to_vec())?;
        let (own, whole) = (Shape::new(domain.shape()), self.shape());
        let methods: Vec<MethodIndex> = domain.method_indexes().collect();
        let origin = |cell: usize| {
            let mut place = own.samples(cell);
            place[axis] = samples[place[axis]];
            Origin { map: self, methods: &methods, cell: whole.offset(&place), share: 1.0 }
        };
        let origins: Vec<Origin<'_>> = (0..domain.cells()).map(origin).collect();
        Self::of_origins(domain, &origins)
    }

    /// Creates a map whose cells are copies. All of the maps have costs, ties and calls, or none.
    pub(super) fn of_origins(domain: Domain, origins: &[Origin<'_>]) -> Result<Self, Problems> {
        let first = origins[0].map;
        let count = domain.methods().len();
        let mut copy = Self::new(domain, origins.iter().map(Origin::method).collect())?;
        if first.ties.is_some() {
            copy = copy.with_ties(Ties::new(origins.iter().map(Origin::ties)))?;
        }
        if let Some(costs) = &first.costs {
            let mut own = Costs::new(count, origins.iter().flat_map(|origin| origin.costs(count)));
            (own.unit, own.statistic) = (costs.unit.clone(), costs.statistic.clone());
            copy = copy.with_costs(own)?;
        }
        // Copies that are never called have the same weight everywhere.
        let is_called = origins.iter().any(|origin| origin.method().is_some() && origin.calls() > 0.0);
        if is_called && (first.calls.is_some() || origins.iter().any(|origin| origin.share < 1.0)) {
            copy = copy.with_calls(Calls::new(origins.iter().map(Origin::calls)))?;
        }
        Ok(copy)
    }
}

/// The cell of a map that a cell of another map was copied from.
pub(super) struct Origin<'m> {
    pub(super) map: &'m DecisionMap,
    /// The methods of the other map that correspond to those of this one.
    pub(super) methods: &'m [MethodIndex],
    pub(super) cell: usize,
    /// The share of the calls of the cell: 0 if the map was not measured at this point.
    pub(super) share: f64,
}

impl Origin<'_> {
    fn method(&self) -> Option<MethodIndex> {
        self.map.cells[self.cell].map(|method| self.methods[method.get()])
    }

    fn ties(&self) -> Vec<MethodIndex> {
        let ties = self.map.acceptable_methods(self.cell).iter();
        ties.map(|method| self.methods[method.get()]).collect()
    }

    /// Returns the costs of so many methods; `None` for a method that only other maps have.
    fn costs(&self, methods: usize) -> Vec<Option<f64>> {
        let mut costs = vec![None; methods];
        if let Some(own) = &self.map.costs {
            for (method, cost) in self.methods.iter().zip(own.cell(self.cell)) {
                costs[method.get()] = cost;
            }
        }
        costs
    }

    fn calls(&self) -> f64 {
        self.share * self.map.weight(self.cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Axis, Method};

    fn map() -> DecisionMap {
        let labels = Samples::Labels(["a", "b"].map(str::to_owned).to_vec());
        let axes = vec![
            Axis::new("n", [1, 2, 4]),
            Axis { samples: labels, ..Axis::new("kind", []) },
            Axis::new("m", [3, 5]),
        ];
        let methods = ["one", "two"].map(Method::new).to_vec();
        let cost = |point: &[u64], method: MethodIndex| {
            (point[0] != 2 || method.get() == 0).then(|| {
                let at = (100 * point[0] + 10 * point[1] + point[2]) as f64;
                if method.get() == 0 { at } else { 1000.0 - at }
            })
        };
        DecisionMap::from_costs(axes, methods, cost).unwrap()
    }

    #[test]
    fn each_cell_of_a_part_is_the_one_at_its_sizes() {
        let map = map();
        let ties = Ties::new(map.cells().iter().map(|cell| cell.iter().copied().collect()));
        let calls = Calls::new((0..map.cells().len()).map(|cell| cell as f64));
        let map = map.with_ties(ties).unwrap().with_calls(calls).unwrap();
        for (axis, samples) in [(0, vec![1]), (0, vec![0, 2]), (1, vec![0, 1]), (2, vec![1])] {
            let part = map.at_samples(axis, &samples).unwrap();
            for cell in 0..part.cells().len() {
                let same = |other: &usize| map.domain().sizes(*other) == part.domain().sizes(cell);
                let other = (0..map.cells().len()).find(same).unwrap();
                assert_eq!(part.cells()[cell], map.cells()[other]);
                assert_eq!(part.ties().unwrap().get(cell), map.ties().unwrap().get(other));
                assert_eq!(part.weight(cell), map.weight(other));
                for method in map.domain().method_indexes() {
                    let cost = |map: &DecisionMap, cell| map.costs().unwrap().get(cell, method);
                    assert_eq!(cost(&part, cell), cost(&map, other));
                }
            }
        }
    }

    #[test]
    fn a_part_without_calls_has_equal_weights() {
        let calls = Calls::new((0..12).map(|cell| if cell < 4 { 7.0 } else { 0.0 }));
        let map = map().with_calls(calls).unwrap();
        assert!(map.at_samples(0, &[1, 2]).unwrap().calls().is_none());
        assert_eq!(map.at_samples(0, &[0, 1]).unwrap().weight(5), 0.0);
    }

    #[test]
    fn samples_that_make_no_axis_are_refused() {
        assert!(map().at_samples(0, &[]).is_err() && map().at_samples(1, &[0]).is_err());
        assert!(map().at_samples(0, &[2, 1]).is_err());
    }
}
