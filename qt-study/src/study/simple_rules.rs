//! The gain of decisions over what one would write without measuring every size: a single method, or a rule with one threshold.

use qtdec_core::penalty::CellPenalty;
use qtdec_core::{Costs, DecisionMap, Domain, MethodIndex, naming};
use serde_json::{Value, json};

use super::expression::Expression;
use super::gain::Gain;

/// The difference up to which means of logarithms are equal: summed in another order, their last bits differ.
const ROUNDING: f64 = 1e-9;

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

/// A rule with one threshold: one method below a number, or for a label, and another one elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What is compared.
    pub expression: Expression,
    /// The number, or the position of the label.
    pub at: u64,
    /// The method below the number, or for the label.
    pub then: MethodIndex,
    /// The method elsewhere.
    pub otherwise: MethodIndex,
}

impl SimpleRules {
    /// Returns the gain of `decisions`, one for each cell of the map, over the given cells. Returns `None` if the map has fewer than
    /// two [candidates](DecisionMap::candidates), or none of them has a cost in all of these cells.
    pub fn from_decisions(
        decisions: &[Option<MethodIndex>],
        map: &DecisionMap,
        cells: &[CellPenalty],
    ) -> Option<Self> {
        let (costs, domain, methods) = (map.costs()?, map.domain(), map.candidates());
        let decided = cells.iter().filter(|penalty| decisions[penalty.cell].is_some());
        let priced: Vec<(usize, f64)> =
            decided.filter_map(|penalty| Some((penalty.cell, penalty.chosen?.ln()))).collect();
        if methods.len() < 2 || priced.is_empty() {
            return None;
        }
        let logs_of = |method| Some((method, logs(method, costs, domain, &priced)?));
        let methods: Vec<(MethodIndex, Vec<f64>)> = methods.into_iter().filter_map(logs_of).collect();
        let totals = methods.iter().map(|(_, logs)| logs.iter().sum()).collect();
        let candidates = Candidates { methods, totals };
        let (single, sum) = candidates.best(|candidate| candidates.totals[candidate])?;
        let (method, single) = (candidates.methods[single].0, sum);
        let sizes: Vec<Vec<u64>> = priced.iter().map(|(cell, _)| domain.sizes(*cell)).collect();
        let mut best = (single, None);
        for expression in Expression::all(domain) {
            if let Some((sum, threshold)) = candidates.threshold(expression, &sizes, domain, best.0) {
                best = (sum, Some(threshold));
            }
        }
        let chosen: f64 = priced.iter().map(|(_, log)| log).sum();
        let gain = |sum: f64| {
            let mean = Some((sum - chosen) / priced.len() as f64).filter(|mean| mean.abs() > ROUNDING);
            Gain(mean.unwrap_or(0.0).exp_m1())
        };
        Some(Self {
            method,
            over_method: gain(single),
            threshold: best.1,
            over_threshold: gain(best.0),
            cells: priced.len() as u64,
        })
    }

    /// Returns the best single method as an expression of Rust: its label, or a string if that is not an identifier.
    pub fn method_text(&self, map: &DecisionMap) -> String {
        let label = map.domain().method(self.method).label();
        if naming::is_identifier(&label) { label } else { format!("{label:?}") }
    }

    /// Returns the comparison as JSON: `method`, `over_method`, `threshold` (a rule or null), `over_threshold` and `cells`.
    pub fn to_json(&self, map: &DecisionMap) -> Value {
        json!({
            "method": map.domain().method(self.method).label(),
            "over_method": self.over_method.percent(),
            "threshold": self.threshold.as_ref().map(|threshold| threshold.text(map)),
            "over_threshold": self.over_threshold.percent(),
            "cells": self.cells,
        })
    }
}

/// The methods of rules, each with the logarithms of its costs in the same cells.
struct Candidates {
    methods: Vec<(MethodIndex, Vec<f64>)>,
    /// The sum of the logarithms of each.
    totals: Vec<f64>,
}

impl Candidates {
    /// Returns the position of the method with the least sum, with that sum.
    fn best(&self, sum: impl Fn(usize) -> f64) -> Option<(usize, f64)> {
        let sums = (0..self.methods.len()).map(|candidate| (candidate, sum(candidate)));
        sums.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// Returns the best threshold of an expression with its sum, if that is below a limit. `sizes` are those of the cells.
    fn threshold(
        &self,
        expression: Expression,
        sizes: &[Vec<u64>],
        domain: &Domain,
        limit: f64,
    ) -> Option<(f64, Threshold)> {
        let is_label = expression.is_label(domain);
        let mut cells: Vec<(u64, usize)> =
            sizes.iter().enumerate().map(|(cell, sizes)| (expression.value(sizes), cell)).collect();
        cells.sort_unstable();
        let (mut least, mut found) = (limit, None);
        let rounding = ROUNDING * cells.len() as f64;
        // The sum of each method over all cells with a number below that of the group.
        let mut below = vec![0.0; self.methods.len()];
        for group in cells.chunk_by(|one, other| one.0 == other.0) {
            let at = group[0].0;
            let of_group = |logs: &[f64]| group.iter().map(|(_, cell)| logs[*cell]).sum::<f64>();
            let of_group: Vec<f64> = self.methods.iter().map(|(_, logs)| of_group(logs)).collect();
            let of_then = if is_label { &of_group } else { &below };
            let (then, one) = self.best(|candidate| of_then[candidate])?;
            let (otherwise, other) = self.best(|candidate| self.totals[candidate] - of_then[candidate])?;
            // The greatest number may be one that saturated.
            if then != otherwise && one + other < least - rounding && at < u64::MAX {
                (least, found) = (one + other, Some((at, then, otherwise)));
            }
            below.iter_mut().zip(&of_group).for_each(|(below, sum)| *below += sum);
        }
        let (at, then, otherwise) = found?;
        let (then, otherwise) = (self.methods[then].0, self.methods[otherwise].0);
        Some((least, Threshold { expression, at, then, otherwise }))
    }
}

impl Threshold {
    /// Returns the method for a call of these sizes, one for each axis. A label is given by its position.
    pub fn decide(&self, sizes: &[u64], map: &DecisionMap) -> MethodIndex {
        let value = self.expression.value(sizes);
        let is_label = self.expression.is_label(map.domain());
        let is_then = if is_label { value == self.at } else { value < self.at };
        if is_then { self.then } else { self.otherwise }
    }

    /// Returns the rule as an expression of Rust: `if n < 32 { a } else { b }`. Methods whose labels are not identifiers are strings.
    pub fn text(&self, map: &DecisionMap) -> String {
        let [then, otherwise] = [self.then, self.otherwise].map(|method| map.domain().method(method).label());
        let condition = self.expression.condition(self.at, map.domain());
        if naming::is_identifier(&then) && naming::is_identifier(&otherwise) {
            format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
        } else {
            format!("if {condition} {{ {then:?} }} else {{ {otherwise:?} }}")
        }
    }
}

/// Returns the logarithms of a method's costs in cells, if it has one in all of them.
fn logs(method: MethodIndex, costs: &Costs, domain: &Domain, cells: &[(usize, f64)]) -> Option<Vec<f64>> {
    let is_conditional = !domain.method(method).requires.is_empty();
    let logs = cells.iter().map(|(cell, _)| {
        let may_run = !is_conditional || domain.may_run(method, &domain.sizes(*cell));
        Some(costs.get(*cell, method).filter(|_| may_run)?.ln())
    });
    logs.collect()
}

#[cfg(test)]
mod tests {
    use qtdec_core::penalty::penalties;
    use qtdec_core::{Axis, Method, Samples};

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
        assert_eq!((&found.threshold, found.over_method), (&None, Gain(0.0)));
        assert_eq!(found.to_json(&map)["threshold"], Value::Null);
    }

    /// The baseline is the fastest everywhere, and no rule that one would write has it.
    #[test]
    fn a_baseline_that_is_never_chosen_is_no_method_of_a_rule() {
        let present = Method { baseline: true, ..Method::new(Method::BASELINE) };
        let methods = vec![Method::new("a"), present, Method::new("b")];
        let map = DecisionMap::from_costs(vec![Axis::new("n", [1, 2, 4])], methods, |point, method| {
            [if point[0] < 4 { 2.0 } else { 8.0 }, 1.0, 3.0][method.get()]
        });
        let map = map.unwrap();
        let found =
            SimpleRules::from_decisions(map.cells(), &map, &penalties(map.cells(), &map).unwrap()).unwrap();
        assert_eq!(map.domain().method(found.method).label(), "b");
        assert_eq!(found.threshold.unwrap().text(&map), "if n < 4 { a } else { b }");
    }

    /// The text of the best rule if `b` is twice as slow where a condition is true, and `a` elsewhere.
    fn best_for(is_a: impl Fn(u64, u64) -> bool) -> String {
        let sizes = [0, 1, 2, 3, 4, 6, 8, 12, 16];
        let axes = vec![Axis::new("m", sizes), Axis::new("n", sizes)];
        let (map, found) = rules(axes, &["a", "b"], |point, method| {
            Some(if is_a(point[0], point[1]) == (method == 0) { 1.0 } else { 2.0 })
        });
        let found = found.unwrap();
        let threshold = found.threshold.unwrap();
        assert!(found.over_threshold.0.abs() < 1e-9, "no cell is wrong: {}", threshold.text(&map));
        for (cell, best) in map.cells().iter().enumerate() {
            assert_eq!(Some(threshold.decide(&map.domain().sizes(cell), &map)), *best);
        }
        threshold.text(&map)
    }

    #[test]
    fn rules_of_several_sizes() {
        assert_eq!(best_for(|m, n| m * n < 36), "if m.saturating_mul(n) < 36 { a } else { b }");
        assert_eq!(best_for(|m, n| m < 2 * n), "if m < n.saturating_mul(2) { a } else { b }");
        assert_eq!(best_for(|m, n| 3 * m > n), "if n < m.saturating_mul(3) { a } else { b }");
        assert_eq!(best_for(|m, n| m >= n), "if m < n { b } else { a }");
        assert_eq!(best_for(|m, n| m.min(n) < 8), "if m.min(n) < 8 { a } else { b }");
        assert_eq!(best_for(|m, n| m.max(n) >= 6), "if m.max(n) < 6 { b } else { a }");
    }

    /// With one size of `n`, the product decides as `m` alone.
    #[test]
    fn the_simplest_of_equal_rules() {
        let axes = vec![Axis::new("m", [1, 2, 3]), Axis::new("n", [1])];
        let (map, found) = rules(axes, &["a/1", "b"], |point, method| {
            Some(if (point[0] < 3) == (method == 0) { 1.0 } else { 2.0 })
        });
        assert_eq!(found.unwrap().threshold.unwrap().text(&map), r#"if m < 3 { "a/1" } else { "b" }"#);
    }

    /// The product of the greater sizes is the greatest number, which is no threshold.
    #[test]
    fn products_that_saturate() {
        let axes = vec![Axis::new("m", [1, 1 << 40]), Axis::new("n", [1, 1 << 40])];
        let (map, found) = rules(axes, &["a", "b"], |point, method| {
            Some(if (point[0] < 2 || point[1] < 2) == (method == 0) { 1.0 } else { 2.0 })
        });
        assert_eq!(
            found.unwrap().threshold.unwrap().text(&map),
            "if m.min(n) < 1099511627776 { a } else { b }"
        );
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
