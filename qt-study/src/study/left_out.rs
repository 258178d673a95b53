//! Sizes left out of a map, and what decisions from the others cost there.
//!
//! Every other size of an axis is left out, decisions are made from the rest and evaluated at the sizes left out; then the other half is
//! left out. The rest is half as dense as the map, so sizes between the samples of the map itself are nearer to one than these.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Problems};

use super::interval::Interval;
use super::simple_rules::SimpleRules;
use super::unmeasured::{MIN_SIZES, Unmeasured, WorstPoint, no_tree, unpriced};
use crate::selection::Recorded;

/// The maximum share of decisions whose time at the point is unknown.
const MAX_UNPRICED: f64 = 0.1;

/// The logarithms of what decisions cost over the best methods, and of what the default costs over decisions, for each size left out.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    sum: f64,
    /// NaN once the default has no time at a point.
    default: f64,
    weight: f64,
}

/// The position of the default among the others that are compared.
const DEFAULT: usize = 2;

/// A map, and its parts without every other size of an axis.
#[derive(Debug)]
pub struct LeftOut<'m> {
    map: &'m DecisionMap,
    /// The cells with a best time and their weights, of which some are above 0.
    points: Vec<CellPenalty>,
    axes: Vec<LeftAxis>,
}

/// An axis whose sizes are left out.
#[derive(Debug)]
struct LeftAxis {
    axis: usize,
    /// The parts that remain: the samples at even positions, and those at odd ones.
    rests: [DecisionMap; 2],
    /// The logarithms of what the single method, the rule with one threshold and the default cost at each point over the best method;
    /// NaN where one of them has no time.
    others: Vec<[f64; 3]>,
}

impl LeftAxis {
    fn new(map: &DecisionMap, points: &[CellPenalty], axis: usize) -> Result<Self, Problems> {
        let places = Places::new(map, axis);
        let rest = |parity: usize| {
            let kept: Vec<usize> = (0..places.len).filter(|at| at % 2 == parity).collect();
            map.at_samples(axis, &kept)
        };
        let rests = [rest(0)?, rest(1)?];
        let rules = rests.each_ref().map(|rest| {
            let penalties = penalties(rest.cells(), rest)?;
            let rules = SimpleRules::from_decisions(rest.cells(), rest, &penalties)?;
            Some((rules.method, rules.threshold))
        });
        let default = map.domain().baseline();
        let others = points.iter().map(|point| {
            let log = |method: Option<MethodIndex>| {
                let cost = method.and_then(|method| map.costs()?.get(point.cell, method));
                cost.map_or(f64::NAN, |cost| (cost / point.best).ln())
            };
            // What remains at even positions decides at odd ones.
            match &rules[1 - places.of(point.cell) % 2] {
                None => [f64::NAN, f64::NAN, log(default)],
                Some((method, None)) => [log(Some(*method)), log(Some(*method)), log(default)],
                Some((method, Some(threshold))) => {
                    let by_threshold = threshold.decide(&map.domain().sizes(point.cell), map);
                    [log(Some(*method)), log(Some(by_threshold)), log(default)]
                }
            }
        });
        let others = others.collect();
        Ok(Self { axis, rests, others })
    }

    /// Returns the decision at every cell, each made without its size.
    fn decided(
        &self,
        map: &DecisionMap,
        encode: &impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Vec<Option<MethodIndex>>, Problems> {
        let mut decided = vec![None; map.cells().len()];
        let places = Places::new(map, self.axis);
        let axis = &map.domain().axes()[self.axis];
        for (parity, rest) in self.rests.iter().enumerate() {
            let tree = encode(rest)?;
            let (cells, kept) = (tree.cells(), &rest.domain().axes()[self.axis]);
            let is_guarded = !tree.guards().is_empty();
            for place in (0..places.len).filter(|place| place % 2 != parity) {
                // A tree compares a size with the borders of what remains, so its decision is that of a sample there.
                let size = axis.values().map_or(place as u64, |values| values[place]);
                let sample = tree.sample_of(self.axis, size);
                for around in 0..places.around() {
                    let cell = places.cell(around, place, places.len);
                    decided[cell] = if is_guarded {
                        tree.decide(&map.domain().sizes(cell))
                    } else {
                        cells[places.cell(around, sample, kept.len())]
                    };
                }
            }
        }
        Ok(decided)
    }
}

impl<'m> LeftOut<'m> {
    /// Leaves every other size of each axis with [`MIN_SIZES`] sizes out of a map.
    ///
    /// # Errors
    ///
    /// Returns the reason why nothing can be said of other sizes.
    pub fn new(map: &'m DecisionMap) -> Result<Self, String> {
        let (points, axes) = (measured(map)?, long_axes(map)?);
        let axes = axes.into_iter().map(|axis| LeftAxis::new(map, &points, axis));
        Ok(Self { map, axes: axes.collect::<Result<_, _>>().map_err(|problems| no_tree(&problems))?, points })
    }

    /// Returns the cost of the trees that `encode` makes of what remains, at the sizes left out.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be given.
    pub fn figure(
        &self,
        encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Unmeasured, String> {
        self.sums(encode)?.finish(self.map)
    }

    /// Returns the mean excess of the [figure](Self::figure), for which no sizes are resampled.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be given.
    pub fn excess(
        &self,
        encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<f64, String> {
        let sums = self.sums(encode)?;
        mean(sums.lines.iter().map(|(_, line)| line)).ok_or_else(|| sums.unknown())
    }

    fn sums(&self, encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>) -> Result<Sums, String> {
        let mut sums = Sums::new(self.map);
        for axis in &self.axes {
            let decided = axis.decided(self.map, &encode).map_err(|problems| no_tree(&problems))?;
            sums.add(self, axis, &decided);
        }
        let points = sums.points + sums.unpriced;
        if sums.unpriced as f64 > MAX_UNPRICED * points as f64 { Err(sums.unknown()) } else { Ok(sums) }
    }
}

/// Returns the cells with a best time, if the map has costs and all of them were measured. Some of their weights are above 0.
fn measured(map: &DecisionMap) -> Result<Vec<CellPenalty>, String> {
    let mut points = penalties(map.cells(), map).ok_or("the map has no costs")?;
    let recorded = map.recipe().and_then(|recipe| Recorded::from_json(recipe).ok());
    if recorded.is_some_and(|recorded| recorded.recipe.fills_in_times()) {
        return Err("some times of the map were not measured".to_owned());
    }
    if points.iter().all(|point| point.weight == 0.0) {
        for point in &mut points {
            point.weight = 1.0;
        }
    }
    Ok(points)
}

/// Returns the axes with enough sizes to leave some out.
fn long_axes(map: &DecisionMap) -> Result<Vec<usize>, String> {
    let is_long =
        |axis: &usize| map.domain().axes()[*axis].values().is_some_and(|sizes| sizes.len() >= MIN_SIZES);
    let axes: Vec<usize> = (0..map.domain().axes().len()).filter(is_long).collect();
    if axes.is_empty() {
        return Err(format!(
            "no axis has {MIN_SIZES} sizes or more, of which every other one could be left out"
        ));
    }
    Ok(axes)
}

/// The cells of a map along an axis.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// The number of samples of the axis, of the cells between two neighbours on it, and of the cells of the map.
    len: usize,
    stride: usize,
    cells: usize,
}

impl Places {
    pub(super) fn new(map: &DecisionMap, axis: usize) -> Self {
        let shape = map.domain().shape();
        Self { len: shape[axis], stride: shape[axis + 1..].iter().product(), cells: map.cells().len() }
    }

    pub(super) fn of(self, cell: usize) -> usize {
        cell / self.stride % self.len
    }

    /// Returns the number of cells of each sample.
    fn around(self) -> usize {
        self.cells / self.len
    }

    /// Returns the cell of a sample that has a position among those of the same sample, if the axis has `len` samples.
    fn cell(self, around: usize, sample: usize, len: usize) -> usize {
        (around / self.stride * len + sample) * self.stride + around % self.stride
    }
}

#[derive(Default)]
struct Sums {
    /// The sizes left out, each with its axis.
    lines: Vec<(usize, Line)>,
    worst: Option<WorstPoint>,
    /// The single method, the rule with one threshold, and the default; NaN once one of them has no time at a point.
    others: [f64; 3],
    weight: f64,
    points: u64,
    unpriced: u64,
}

impl Sums {
    fn new(map: &DecisionMap) -> Self {
        let default = map.domain().baseline().map_or(f64::NAN, |_| 0.0);
        Self { others: [0.0, 0.0, default], ..Self::default() }
    }

    fn add(&mut self, left_out: &LeftOut<'_>, axis: &LeftAxis, decided: &[Option<MethodIndex>]) {
        let (map, places) = (left_out.map, Places::new(left_out.map, axis.axis));
        let mut lines = vec![Line::default(); places.len];
        for (CellPenalty { cell, best, weight, .. }, others) in left_out.points.iter().zip(&axis.others) {
            let chosen = decided[*cell].and_then(|chosen| Some((chosen, map.costs()?.get(*cell, chosen)?)));
            let Some((chosen, time)) = chosen else {
                self.unpriced += 1;
                continue;
            };
            let line = &mut lines[places.of(*cell)];
            let log = if time == *best { 0.0 } else { (time / best).ln() };
            line.sum += weight * log;
            line.default += weight * (others[DEFAULT] - log);
            line.weight += weight;
            self.weight += weight;
            self.points += 1;
            let percent = 100.0 * (time / best - 1.0);
            if self.worst.is_none_or(|worst| percent > worst.percent) {
                self.worst = Some(WorstPoint { cell: *cell, chosen, percent });
            }
            for (sum, other) in self.others.iter_mut().zip(others) {
                *sum += weight * other;
            }
        }
        let lines = lines.into_iter().filter(|line| line.weight > 0.0);
        self.lines.extend(lines.map(|line| (axis.axis, line)));
    }

    /// Returns the reason why too few of the decisions have a time.
    fn unknown(&self) -> String {
        unpriced(self.unpriced, self.points + self.unpriced)
    }

    fn finish(self, map: &DecisionMap) -> Result<Unmeasured, String> {
        let unknown = self.unknown();
        let Self { lines, worst, others, weight, points, unpriced } = self;
        let ratio = |of: fn(&Line) -> f64| {
            let items: Vec<(f64, f64)> = lines.iter().map(|(_, line)| (of(line), line.weight)).collect();
            Interval::of_ratio(&items)
        };
        let (Some(excess), Some(worst)) = (ratio(|line| line.sum), worst) else {
            return Err(unknown);
        };
        let axes = (0..map.domain().axes().len()).filter_map(|axis| {
            let own = lines.iter().filter(|(known, _)| *known == axis).map(|(_, line)| line);
            Some((axis, mean(own)?))
        });
        let axes = axes.collect();
        let [one_method, one_threshold, default] =
            others.map(|sum| (!sum.is_nan()).then(|| percent(sum / weight)));
        let excess = excess.in_unit(percent);
        let gain = default.and_then(|_| ratio(|line| line.default)).map(|gain| gain.in_unit(f64::exp_m1));
        Ok(Unmeasured { excess, axes, worst, one_method, one_threshold, default, gain, points, unpriced })
    }
}

/// Returns the mean excess at sizes left out, in per cent; `None` if there are none. The weight of each is above 0.
fn mean<'l>(lines: impl Iterator<Item = &'l Line>) -> Option<f64> {
    let sum = |(sum, weight): (f64, f64), line: &Line| (sum + line.sum, weight + line.weight);
    let (sum, weight) = lines.fold((0.0, 0.0), sum);
    (weight > 0.0).then(|| percent(sum / weight))
}

fn percent(log: f64) -> f64 {
    100.0 * log.exp_m1()
}
