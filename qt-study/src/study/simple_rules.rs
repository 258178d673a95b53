//! The gain of decisions over what one would write without measuring every size: a single method, or a rule with one threshold.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{Costs, DecisionMap, Domain, MethodIndex, Samples};
use serde_json::{Value, json};

use super::gain::Gain;

/// The comparison of decisions with the best single method and the best rule with one threshold.
///
/// Both are the best ones by the times of the map, as if somebody had tried all of them on it. A [`Gain`] is
/// over the cells in which the decision and every method of the rule have a cost.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleRules {
    /// The best single method.
    pub method: MethodIndex,
    /// The gain over it.
    pub over_method: Gain,
    /// The best rule with one threshold, if one is better than the single method.
    pub threshold: Option<Threshold>,
    /// The gain over the rule, or over the single method if no rule is better.
    pub over_threshold: Gain,
    /// The number of cells.
    pub cells: u64,
}

/// A rule with one threshold: one method below a size, or for a label, and another one elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The axis.
    pub axis: usize,
    /// The size, or the position of the label.
    pub at: u64,
    /// The method below the size, or for the label.
    pub then: MethodIndex,
    /// The method elsewhere.
    pub otherwise: MethodIndex,
}

impl SimpleRules {
    /// Returns the gain over every measured cell, if the map has no baseline.
    pub fn everywhere(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Self> {
        let cells = penalties(decisions, map).filter(|_| map.domain().baseline().is_none())?;
        Self::from_decisions(decisions, map, &cells)
    }

    /// Returns the gain of `decisions`, one for each cell of the map, over the given cells. Returns `None` if the map has fewer than
    /// two methods, or no method has a cost in all of these cells.
    pub fn from_decisions(
        decisions: &[Option<MethodIndex>],
        map: &DecisionMap,
        cells: &[CellPenalty],
    ) -> Option<Self> {
        let (costs, domain) = (map.costs()?, map.domain());
        let decided = cells.iter().filter(|penalty| decisions[penalty.cell].is_some());
        let priced: Vec<(usize, f64)> =
            decided.filter_map(|penalty| Some((penalty.cell, penalty.chosen?.ln()))).collect();
        let methods = domain.method_indexes();
        let methods: Vec<(MethodIndex, Vec<f64>)> =
            methods.filter_map(|method| Some((method, logs(method, costs, domain, &priced)?))).collect();
        if domain.methods().len() < 2 || priced.is_empty() {
            return None;
        }
        let sum = |logs: &[f64]| logs.iter().sum::<f64>();
        let totals: Vec<f64> = methods.iter().map(|(_, logs)| sum(logs)).collect();
        let (method, single) = methods
            .iter()
            .map(|(method, logs)| (*method, sum(logs)))
            .min_by(|one, other| one.1.total_cmp(&other.1))?;
        let (mut best, shape) = ((single, None), domain.shape());
        for (axis, samples) in domain.axes().iter().map(|axis| &axis.samples).enumerate() {
            let (starts, is_label): (Vec<u64>, bool) = match samples {
                Samples::Values(sizes) => (sizes.clone(), false),
                Samples::Labels(labels) => ((0..labels.len() as u64).collect(), true),
            };
            // The sum of each method at each sample, and of all samples below it.
            let stride: usize = shape[axis + 1..].iter().product();
            let sample = |(cell, _): &(usize, f64)| cell / stride % starts.len();
            let places: Vec<usize> = priced.iter().map(sample).collect();
            let sums_of = |logs: &[f64]| {
                let mut sums = vec![0.0; starts.len()];
                logs.iter().zip(&places).for_each(|(log, place)| sums[*place] += log);
                sums
            };
            let sums: Vec<Vec<f64>> = methods.iter().map(|(_, logs)| sums_of(logs)).collect();
            let mut below = vec![0.0; methods.len()];
            for (place, &at) in starts.iter().enumerate() {
                let of_then = |method: usize| if is_label { sums[method][place] } else { below[method] };
                let of_otherwise = |method: usize| totals[method] - of_then(method);
                let least = |of: &dyn Fn(usize) -> f64| {
                    (0..methods.len())
                        .map(|method| (method, of(method)))
                        .min_by(|one, other| one.1.total_cmp(&other.1))
                };
                let ((then, one), (otherwise, other)) = (least(&of_then)?, least(&of_otherwise)?);
                // Sums in another order differ in their last bits.
                if then != otherwise && one + other < best.0 - 1e-9 {
                    let (then, otherwise) = (methods[then].0, methods[otherwise].0);
                    best = (one + other, Some(Threshold { axis, at, then, otherwise }));
                }
                below.iter_mut().zip(&sums).for_each(|(below, sums)| *below += sums[place]);
            }
        }
        let chosen: f64 = priced.iter().map(|(_, log)| log).sum();
        let gain = |sum: f64| Gain(((sum - chosen) / priced.len() as f64).exp_m1());
        Some(Self {
            method,
            over_method: gain(single),
            threshold: best.1,
            over_threshold: gain(best.0),
            cells: priced.len() as u64,
        })
    }

    /// Returns the comparison as JSON: `method`, `over_method`, `threshold` (a rule or null), `over_threshold` and `cells`.
    pub fn to_json(&self, map: &DecisionMap) -> Value {
        json!({
            "method": map.domain().method(self.method).label(),
            "over_method": self.over_method.percent(),
            "threshold": self.threshold.map(|threshold| threshold.text(map)),
            "over_threshold": self.over_threshold.percent(),
            "cells": self.cells,
        })
    }
}

impl Threshold {
    /// Returns the method for a call of these sizes, one for each axis. A label is given by its position.
    pub fn decide(&self, sizes: &[u64], map: &DecisionMap) -> MethodIndex {
        let is_below = match &map.domain().axes()[self.axis].samples {
            Samples::Values(_) => sizes[self.axis] < self.at,
            Samples::Labels(_) => sizes[self.axis] == self.at,
        };
        if is_below { self.then } else { self.otherwise }
    }

    /// Returns the rule as text: `if n < 32 { a } else { b }`.
    pub fn text(&self, map: &DecisionMap) -> String {
        let name = |method| map.domain().method(method).label();
        let axis = &map.domain().axes()[self.axis];
        let condition = match axis.values() {
            Some(_) => format!("{} < {}", axis.name, self.at),
            None => format!("{} == {}", axis.name, axis.sample(self.at as usize)),
        };
        format!("if {condition} {{ {} }} else {{ {} }}", name(self.then), name(self.otherwise))
    }
}

/// Returns the logarithms of a method's costs in cells, if it has one in all of them.
fn logs(method: MethodIndex, costs: &Costs, domain: &Domain, cells: &[(usize, f64)]) -> Option<Vec<f64>> {
    let is_conditional = !domain.method(method).requires.is_empty();
    let log = |(cell, _): &(usize, f64)| {
        let may_run = !is_conditional || domain.may_run(method, &domain.sizes(*cell));
        Some(costs.get(*cell, method).filter(|_| may_run)?.ln())
    };
    cells.iter().map(log).collect()
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};

    use super::*;

    fn rules(
        axes: Vec<Axis>,
        methods: &[&str],
        cost: impl Fn(&[u64], usize) -> Option<f64>,
    ) -> (DecisionMap, Option<SimpleRules>) {
        let methods = methods.iter().map(|name| Method::new(*name)).collect();
        let map = DecisionMap::from_costs(axes, methods, |point, method| cost(point, method.get())).unwrap();
        let cells = penalties(map.cells(), &map).unwrap();
        let rules = SimpleRules::from_decisions(map.cells(), &map, &cells);
        (map, rules)
    }

    #[test]
    fn the_best_method_and_the_best_threshold() {
        let axes = vec![Axis::new("n", [1, 10, 100]), Axis::new("m", [1, 2])];
        // Below 100, a takes 1 and b 4; from there on it is the other way round.
        let (map, found) = rules(axes, &["a", "b"], |point, method| {
            Some(if (point[0] < 100) == (method == 0) { 1.0 } else { 4.0 })
        });
        let found = found.unwrap();
        // In 2 of 6 cells, a takes four times as long: 4^(1/3) − 1.
        assert!(
            (found.over_method.percent() - 100.0 * (4.0_f64.powf(1.0 / 3.0) - 1.0)).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!((found.method.get(), found.cells), (0, 6));
        assert!(found.over_threshold.0.abs() < 1e-9);
        assert_eq!(found.threshold.unwrap().text(&map), "if n < 100 { a } else { b }");
    }

    #[test]
    fn labels_and_a_single_best_method() {
        let labels = ["random", "sorted", "reversed"].map(str::to_owned).to_vec();
        let order = || Axis { samples: Samples::Labels(labels.clone()), ..Axis::new("order", []) };
        let (map, found) = rules(vec![order()], &["a", "b"], |point, method| {
            Some(if (point[0] == 1) == (method == 1) { 1.0 } else { 2.0 })
        });
        assert_eq!(found.unwrap().threshold.unwrap().text(&map), "if order == sorted { b } else { a }");
        let (map, found) = rules(vec![order()], &["a", "b"], |_, method| Some([1.0, 2.0][method]));
        let found = found.unwrap();
        assert_eq!((found.threshold, found.over_method), (None, Gain(0.0)));
        assert_eq!(found.to_json(&map)["threshold"], Value::Null);
    }

    #[test]
    fn methods_without_all_costs_are_no_rules() {
        let axes = || vec![Axis::new("n", [1, 2, 3])];
        let (map, found) = rules(axes(), &["a", "b"], |point, method| {
            (method == 1 || point[0] != 2).then_some([1.0, 2.0][method])
        });
        let found = found.unwrap();
        assert_eq!(map.domain().method(found.method).label(), "b");
        assert!(
            (found.over_method.percent() - 100.0 * (4.0_f64.powf(1.0 / 3.0) - 1.0)).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!(rules(axes(), &["a"], |_, _| Some(1.0)).1, None);
    }
}
