//! Three choices, and what they share: the comparison of decisions with the best rule with one threshold.

pub mod matmul;
pub mod sort;
pub mod threads;

use qtdec_core::{Axis, DecisionMap, Document, MethodIndex, Samples};

/// A rule with one threshold: one candidate below a size (or at a label), and another one elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    axis: usize,
    at: u64,
    is_label: bool,
    then: MethodIndex,
    otherwise: MethodIndex,
}

impl Rule {
    /// Returns the best of all rules with one threshold, by the times of a map: the rule that you would write by hand after trying
    /// every size.
    pub fn best(map: &DecisionMap) -> Self {
        let methods: Vec<MethodIndex> = map.domain().method_indexes().collect();
        let mut rules = Vec::new();
        for (axis, Axis { samples, .. }) in map.domain().axes().iter().enumerate() {
            let (starts, is_label) = match samples {
                Samples::Values(sizes) => (sizes.clone(), false),
                Samples::Labels(labels) => ((0..labels.len() as u64).collect(), true),
            };
            for (at, &then) in starts.iter().flat_map(|&at| methods.iter().map(move |then| (at, then))) {
                rules.extend(methods.iter().map(|&otherwise| Self { axis, at, is_label, then, otherwise }));
            }
        }
        let cost = |rule: &Self| mean_logarithm(map, |point| rule.choose(point));
        rules.into_iter().min_by(|one, other| cost(one).total_cmp(&cost(other))).expect("a map has an axis")
    }

    fn choose(&self, point: &[u64]) -> MethodIndex {
        let size = point[self.axis];
        let holds = if self.is_label { size == self.at } else { size < self.at };
        if holds { self.then } else { self.otherwise }
    }

    fn text(&self, map: &DecisionMap) -> String {
        let name = |method| map.domain().method(method).label();
        let axis = &map.domain().axes()[self.axis];
        let condition = match &axis.samples {
            Samples::Values(_) => format!("{} < {}", axis.name, self.at),
            Samples::Labels(labels) => format!("{} == {}", axis.name, labels[self.at as usize]),
        };
        format!("if {condition} {{ {} }} else {{ {} }}", name(self.then), name(self.otherwise))
    }
}

/// Returns the mean logarithm of the time of a rule, over the points of a map.
fn mean_logarithm(map: &DecisionMap, choose: impl Fn(&[u64]) -> MethodIndex) -> f64 {
    let costs = map.costs().expect("the map contains the times");
    let time = |cell| costs.get(cell, choose(&map.domain().sizes(cell))).expect("every candidate was timed");
    let cells = map.domain().cells();
    (0..cells).map(|cell| time(cell).ln()).sum::<f64>() / cells as f64
}

/// Prints the gain of the decisions over the best rule with one threshold. `decide` returns the position of the chosen candidate at a
/// point.
///
/// # Errors
///
/// Returns an error if the map cannot be read.
pub fn compare(map: &[u8], decide: impl Fn(&[u64]) -> usize) -> Result<(), Box<dyn std::error::Error>> {
    let map = Document::from_json(map)?.into_map().ok_or("the file holds a tree")?;
    let methods: Vec<MethodIndex> = map.domain().method_indexes().collect();
    let rule = Rule::best(&map);
    let decided = mean_logarithm(&map, |point| methods[decide(point)]);
    let by_hand = mean_logarithm(&map, |point| rule.choose(point));
    println!("the best rule with one threshold: {}", rule.text(&map));
    println!(
        "at the {} points measured, the compiled decisions take {:.2} of its time (geometric mean): {:.2} times as fast",
        map.domain().cells(),
        (decided - by_hand).exp(),
        (by_hand - decided).exp()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use qtdec_core::Method;

    use super::*;

    #[test]
    fn the_best_rule_is_found_on_any_axis() {
        let axes = vec![Axis::new("n", [1, 10, 100]), Axis::new("m", [1, 2])];
        let methods = vec![Method::new("a"), Method::new("b")];
        let map = DecisionMap::from_costs(axes, methods, |point, method| {
            let a_is_best = point[0] < 100;
            if a_is_best == (method.get() == 0) { 1.0 } else { 4.0 }
        });
        let map = map.unwrap();
        let rule = Rule::best(&map);
        assert_eq!(rule.text(&map), "if n < 100 { a } else { b }");
        assert_eq!(mean_logarithm(&map, |point| rule.choose(point)), 0.0);
    }
}
