//! Sizes left out of a map, and what decisions from the others cost there.
//!
//! Every other size of an axis is left out, decisions are made from the rest and evaluated at the sizes left out; then the other half is
//! left out. The rest is half as dense as the map, so sizes between the samples of the map itself are nearer to one than these.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Problems};

use super::interval::Interval;
use super::simple_rules::SimpleRules;
use super::unmeasured::{MIN_SIZES, Unknown, Unmeasured, WorstPoint};
use crate::selection::Recorded;

/// The maximum share of decisions whose time at the point is unknown.
const MAX_UNPRICED: f64 = 0.1;

/// The logarithms of what decisions cost over the best methods, for each size left out.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    sum: f64,
    weight: f64,
}

/// A map, and its parts without every other size of an axis.
#[derive(Debug)]
pub struct LeftOut<'m> {
    map: &'m DecisionMap,
    /// The axes whose sizes are left out, each with both halves.
    axes: Vec<(usize, [Half; 2])>,
}

/// The part of a map that remains, and the best simple rules of it.
#[derive(Debug)]
struct Half {
    rest: DecisionMap,
    rules: Option<SimpleRules>,
}

impl Half {
    /// Returns the part with the samples of an axis whose position is odd or even.
    fn new(map: &DecisionMap, axis: usize, parity: usize) -> Result<Self, Problems> {
        let len = map.domain().axes()[axis].len();
        let kept: Vec<usize> = (0..len).filter(|at| at % 2 == parity).collect();
        let rest = map.at_samples(axis, &kept)?;
        let penalties = penalties(rest.cells(), &rest);
        let rules =
            penalties.and_then(|penalties| SimpleRules::from_decisions(rest.cells(), &rest, &penalties));
        Ok(Self { rest, rules })
    }
}

/// Decisions at every point, each made without its size.
struct Decided {
    tree: Vec<Option<MethodIndex>>,
    method: Vec<Option<MethodIndex>>,
    threshold: Vec<Option<MethodIndex>>,
}

impl<'m> LeftOut<'m> {
    /// Leaves every other size of each axis with [`MIN_SIZES`] sizes out of a map.
    ///
    /// # Errors
    ///
    /// Returns the reason why nothing can be said of other sizes.
    pub fn new(map: &'m DecisionMap) -> Result<Self, Unknown> {
        check(map)?;
        let is_long = |axis: &usize| {
            let axis = &map.domain().axes()[*axis];
            axis.values().is_some() && axis.len() >= MIN_SIZES
        };
        let halves = |axis: usize| Ok((axis, [Half::new(map, axis, 0)?, Half::new(map, axis, 1)?]));
        let axes = (0..map.domain().axes().len()).filter(is_long).map(halves);
        let axes: Vec<_> = axes.collect::<Result<_, _>>().map_err(Unknown::NoTree)?;
        if axes.is_empty() { Err(Unknown::TooFewSizes) } else { Ok(Self { map, axes }) }
    }

    /// Returns the cost of the trees that `encode` makes of what remains, at the sizes left out.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be given.
    pub fn figure(
        &self,
        encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Unmeasured, Unknown> {
        let mut sums = Sums::new(self.map);
        for (axis, halves) in &self.axes {
            let decided = self.decided(*axis, halves, &encode).map_err(Unknown::NoTree)?;
            sums.add(self.map, *axis, &decided);
        }
        sums.finish(self.map)
    }

    fn decided(
        &self,
        axis: usize,
        halves: &[Half; 2],
        encode: &impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Decided, Problems> {
        let empty = || vec![None; self.map.cells().len()];
        let mut decided = Decided { tree: empty(), method: empty(), threshold: empty() };
        for (parity, Half { rest, rules }) in halves.iter().enumerate() {
            let tree = encode(rest)?;
            for (cell, _) in places(self.map, axis).enumerate().filter(|(_, at)| at % 2 != parity) {
                let sizes = self.map.domain().sizes(cell);
                decided.tree[cell] = tree.decide(&sizes);
                let Some(rules) = rules else { continue };
                let rule = rules.threshold.map(|rule| rule.decide(&sizes, self.map));
                decided.method[cell] = Some(rules.method);
                decided.threshold[cell] = rule.or(Some(rules.method));
            }
        }
        Ok(decided)
    }
}

/// Checks that the map has costs, and that all of them were measured.
fn check(map: &DecisionMap) -> Result<(), Unknown> {
    if map.costs().is_none() {
        return Err(Unknown::NoCosts);
    }
    let recorded = map.recipe().and_then(|recipe| Recorded::from_json(recipe).ok());
    match recorded.filter(|recorded| recorded.recipe.fills_in_times()) {
        Some(_) => Err(Unknown::Filled),
        None => Ok(()),
    }
}

/// Returns the sample on an axis of every cell of a map.
fn places(map: &DecisionMap, axis: usize) -> impl Iterator<Item = usize> + use<> {
    let shape = map.domain().shape();
    let stride: usize = shape[axis + 1..].iter().product();
    (0..map.cells().len()).map(move |cell| cell / stride % shape[axis])
}

/// What the decisions cost so far.
struct Sums {
    /// The sizes left out, each with its axis.
    lines: Vec<(usize, Line)>,
    worst: Option<WorstPoint>,
    /// The single method, the rule with one threshold, and the default; `None` once one of them has no time at a point.
    others: [Option<f64>; 3],
    weight: f64,
    points: u64,
    unpriced: u64,
}

impl Sums {
    fn new(map: &DecisionMap) -> Self {
        let default = map.domain().baseline().map(|_| 0.0);
        Self {
            lines: Vec::new(),
            worst: None,
            others: [Some(0.0), Some(0.0), default],
            weight: 0.0,
            points: 0,
            unpriced: 0,
        }
    }

    fn add(&mut self, map: &DecisionMap, axis: usize, decided: &Decided) {
        let (Some(costs), Some(penalties)) = (map.costs(), penalties(&decided.tree, map)) else { return };
        let is_called = penalties.iter().any(|penalty| penalty.weight > 0.0);
        let weight = |penalty: &CellPenalty| if is_called { penalty.weight } else { 1.0 };
        let mut lines = vec![Line::default(); map.domain().axes()[axis].len()];
        let places: Vec<usize> = places(map, axis).collect();
        for penalty in &penalties {
            let (Some(time), Some(chosen)) = (penalty.chosen, decided.tree[penalty.cell]) else {
                self.unpriced += 1;
                continue;
            };
            let (cell, weight) = (penalty.cell, weight(penalty));
            let line = &mut lines[places[cell]];
            line.sum += weight * (time / penalty.best).ln();
            line.weight += weight;
            self.weight += weight;
            self.points += 1;
            let percent = 100.0 * (time / penalty.best - 1.0);
            if self.worst.is_none_or(|worst| percent > worst.percent) {
                self.worst = Some(WorstPoint { cell, chosen, percent });
            }
            let others = [decided.method[cell], decided.threshold[cell], map.domain().baseline()];
            for (sum, method) in self.others.iter_mut().zip(others) {
                let cost = method.and_then(|method| costs.get(cell, method));
                *sum = sum.zip(cost).map(|(sum, cost)| sum + weight * (cost / penalty.best).ln());
            }
        }
        self.lines.extend(lines.into_iter().filter(|line| line.weight > 0.0).map(|line| (axis, line)));
    }

    fn finish(self, map: &DecisionMap) -> Result<Unmeasured, Unknown> {
        let Self { lines, worst, others, weight, points, unpriced } = self;
        let all = points + unpriced;
        if unpriced as f64 > MAX_UNPRICED * all as f64 {
            return Err(Unknown::Unpriced { unpriced, points: all });
        }
        let percent = |log: f64| 100.0 * log.exp_m1();
        let mean = |drawn: &mut dyn Iterator<Item = Line>| {
            let sum = drawn.fold(Line::default(), |sum, line| Line {
                sum: sum.sum + line.sum,
                weight: sum.weight + line.weight,
            });
            percent(sum.sum / sum.weight)
        };
        let interval =
            Interval::bootstrap(lines.len(), |drawn| mean(&mut drawn.iter().map(|&line| lines[line].1)));
        let (Some(excess), Some(worst)) = (interval, worst) else {
            return Err(Unknown::Unpriced { unpriced, points: all });
        };
        let of_axis = |axis: usize| {
            let mut own = lines.iter().filter(|(known, _)| *known == axis).map(|(_, line)| *line).peekable();
            own.peek().is_some().then(|| (axis, mean(&mut own)))
        };
        let [one_method, one_threshold, default] = others.map(|sum| Some(percent(sum? / weight)));
        let axes = (0..map.domain().axes().len()).filter_map(of_axis).collect();
        Ok(Unmeasured { excess, axes, worst, one_method, one_threshold, default, points, unpriced })
    }
}
