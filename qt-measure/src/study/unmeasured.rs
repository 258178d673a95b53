//! The cost of decisions at sizes that were not measured, estimated by leaving sizes out.
//!
//! Every other size of an axis is left out, decisions are made from the rest and evaluated at the sizes left out; then the other half is
//! left out. The rest is half as dense as the map, so sizes between the samples of the map itself are nearer to one than these.

use std::fmt;

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Problems};
use serde_json::{Value, json};

use super::interval::Interval;
use super::simple_rules::SimpleRules;
use crate::selection::Recorded;

/// The minimum number of sizes of an axis of which every other one is left out: each half has a border then.
pub const MIN_SIZES: usize = 4;

/// The maximum share of decisions whose time at the point is unknown.
const MAX_UNPRICED: f64 = 0.1;

/// The cost of decisions at sizes that were left out.
///
/// An excess is `exp(mean ln(t / t_best)) − 1` in per cent over the points left out, which are weighted by their calls if the map has
/// calls. Each measured point counts once for every axis whose sizes are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmeasured {
    /// The excess of the decisions over the best methods, with its 95 % interval: the sizes left out are resampled with all of their
    /// points, because the points of a size are not independent.
    pub excess: Interval,
    /// The excess at the left-out sizes of each axis, given by its position.
    pub axes: Vec<(usize, f64)>,
    /// The point with the greatest excess.
    pub worst: WorstPoint,
    /// The excess of the best single method of the rest.
    pub one_method: Option<f64>,
    /// The excess of the best rule of the rest with one threshold, or of its best single method if no rule is better.
    pub one_threshold: Option<f64>,
    /// The excess of the library's own choice.
    pub default: Option<f64>,
    /// The number of decisions that were evaluated.
    pub points: u64,
    /// The number of decisions whose time is unknown, which are not evaluated.
    pub unpriced: u64,
}

/// The point at which a decision from the other sizes costs most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstPoint {
    /// The cell, row-major.
    pub cell: usize,
    /// The chosen method.
    pub chosen: MethodIndex,
    /// The excess over the best method, in per cent.
    pub percent: f64,
}

/// The reason why the cost at sizes that were not measured cannot be given.
///
/// The variants are complete: what is needed are enough sizes with measured times, and a tree.
#[derive(Clone, Debug)]
pub enum Unknown {
    /// The map has no costs.
    NoCosts,
    /// No axis has [`MIN_SIZES`] sizes.
    TooFewSizes,
    /// Times of the map were not measured.
    Filled,
    /// Too many of the chosen methods have no time where they are chosen.
    Unpriced {
        /// The number of decisions without a time.
        unpriced: u64,
        /// The number of all decisions.
        points: u64,
    },
    /// No tree can be made of the other sizes.
    NoTree(Problems),
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCosts => formatter.write_str("the map has no costs"),
            Self::TooFewSizes => {
                write!(
                    formatter,
                    "no axis has {MIN_SIZES} sizes or more, of which every other one could be left out"
                )
            }
            Self::Filled => formatter.write_str("some times of the map were not measured"),
            Self::Unpriced { unpriced, points } => write!(
                formatter,
                "{unpriced} of {points} decisions at sizes left out are methods that were not measured there"
            ),
            Self::NoTree(problems) => {
                let first = problems.iter().next().map(|problem| problem.message.to_string());
                write!(formatter, "no tree can be made of half of the sizes: {}", first.unwrap_or_default())
            }
        }
    }
}

/// The logarithms of what decisions cost over the best methods, for each size left out.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    sum: f64,
    weight: f64,
}

/// Decisions at every point, each made without its size.
struct Decided {
    tree: Vec<Option<MethodIndex>>,
    method: Vec<Option<MethodIndex>>,
    threshold: Vec<Option<MethodIndex>>,
}

impl Unmeasured {
    /// Returns the cost of the trees that `encode` makes of the map without every other size of an axis, at these sizes.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be given.
    pub fn new(
        map: &DecisionMap,
        encode: impl Fn(DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Self, Unknown> {
        check(map)?;
        let long = |axis: &usize| {
            let axis = &map.domain().axes()[*axis];
            axis.values().is_some() && axis.len() >= MIN_SIZES
        };
        let axes: Vec<usize> = (0..map.domain().axes().len()).filter(long).collect();
        if axes.is_empty() {
            return Err(Unknown::TooFewSizes);
        }
        let mut sums = Sums::new(map);
        for axis in axes {
            let decided = decided(map, axis, &encode).map_err(Unknown::NoTree)?;
            sums.add(map, axis, &decided);
        }
        sums.finish(map)
    }

    /// Returns the figure as JSON: `excess`, `low`, `high`, `worst` with its sizes, `one_method`, `one_threshold`, `default`, `points`,
    /// `unpriced`, and `axes` with the name and the excess of each.
    pub fn to_json(&self, map: &DecisionMap) -> Value {
        let axes = map.domain().axes();
        let sizes = axes.iter().zip(map.domain().sizes(self.worst.cell)).map(|(axis, size)| {
            let shown = axis.values().map_or_else(|| json!(axis.sample(size as usize)), |_| json!(size));
            (axis.name.clone(), shown)
        });
        json!({
            "excess": self.excess.mean,
            "low": self.excess.low,
            "high": self.excess.high,
            "worst": {
                "excess": self.worst.percent,
                "method": map.domain().method(self.worst.chosen).label(),
                "sizes": sizes.collect::<serde_json::Map<_, _>>(),
            },
            "one_method": self.one_method,
            "one_threshold": self.one_threshold,
            "default": self.default,
            "points": self.points,
            "unpriced": self.unpriced,
            "axes": self.axes.iter().map(|(axis, excess)| json!({ "axis": axes[*axis].name, "excess": excess })).collect::<Value>(),
        })
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

/// Returns the decision at every cell from a part of the map without its size on an axis.
fn decided(
    map: &DecisionMap,
    axis: usize,
    encode: &impl Fn(DecisionMap) -> Result<DecisionTree, Problems>,
) -> Result<Decided, Problems> {
    let cells = map.cells().len();
    let empty = || vec![None; cells];
    let mut decided = Decided { tree: empty(), method: empty(), threshold: empty() };
    for half in 0..2 {
        let kept: Vec<usize> = (0..map.domain().axes()[axis].len()).filter(|at| at % 2 == half).collect();
        let rest = map.at_samples(axis, &kept)?;
        let rules = penalties(rest.cells(), &rest)
            .and_then(|penalties| SimpleRules::from_decisions(rest.cells(), &rest, &penalties));
        let tree = encode(rest)?;
        for (cell, _) in places(map, axis).enumerate().filter(|(_, at)| at % 2 != half) {
            let sizes = map.domain().sizes(cell);
            decided.tree[cell] = tree.decide(&sizes);
            decided.method[cell] = rules.as_ref().map(|rules| rules.method);
            let rule = rules.as_ref().map(|rules| (rules, rules.threshold));
            decided.threshold[cell] = rule
                .map(|(rules, threshold)| threshold.map_or(rules.method, |rule| rule.decide(&sizes, map)));
        }
    }
    Ok(decided)
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
