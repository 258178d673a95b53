//! What each rule for borders costs at sizes between the samples of a map, as far as times of its samples tell.
//!
//! One of two and one of three sizes of an axis are kept, in each phase, and decisions from them are priced at all sizes between: just
//! above the lower and just below the upper end of each gap of the map, with the times that were measured at that end. A size left out
//! halfway on the axis thus counts for both sides of a border that lies there. What this costs with gaps of two and of three sizes, apart
//! from what decisions from all samples cost at the samples, is extrapolated to the gaps of the map.

use qtdec_core::{Borders, DecisionMap, DecisionTree, MethodIndex, Problems};
use serde_json::{Value, json};

use super::interval::Interval;
use super::left_out::{MAX_UNPRICED, Places, long_axes, measured};
use super::unmeasured;

const RULES: usize = Borders::ALL.len();

/// The gaps of what is kept, in gaps of the map.
const STEPS: [usize; 2] = [2, 3];

/// The least and the greatest exponent of a gap to which costs are proportional: times that jump cost as much for each size at a wrong
/// side of a border, and times that grow apart cost more for each size that is farther from where they cross.
const EXPONENTS: [f64; 2] = [1.0, 2.0];

/// The number of neighbouring gaps that are resampled together, because the same sizes are left out of them.
const BLOCK: usize = 3;

/// The number of blocks from which on an interval can tell rules apart.
const MIN_BLOCKS: usize = 4;

/// The costs of all rules at sizes between the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct BorderChoice {
    /// The excess of the decisions over the best methods in per cent, with its 95 % interval, by rule.
    pub rules: [(Borders, Interval); RULES],
    /// The rule that costs least, if its difference to [`Borders::Crossing`] is below 0 in its whole 95 % interval; otherwise
    /// [`Borders::Crossing`].
    pub preferred: Borders,
}

/// What decisions cost in a gap of the map, for each of [`STEPS`]: sums of weighted logarithms by rule, and of the weights.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    costs: [[f64; RULES]; STEPS.len()],
    weights: [f64; STEPS.len()],
}

impl Gap {
    /// Returns the sum of a rule with a factor for each of [`STEPS`].
    fn cost(&self, factors: &[f64], rule: usize) -> f64 {
        factors.iter().zip(&self.costs).map(|(factor, costs)| factor * costs[rule]).sum()
    }
}

/// What decisions cost in neighbouring gaps, extrapolated to the gaps of the map, by rule; and the weight.
type Block = ([f64; RULES], f64);

impl BorderChoice {
    /// Compares the rules with the decisions of the trees that `encode` makes of what remains, with borders where methods cross.
    ///
    /// # Errors
    ///
    /// Returns the reason why nothing can be said.
    pub fn new(
        map: &DecisionMap,
        encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Self, String> {
        let mut points = vec![None; map.cells().len()];
        for point in measured(map)? {
            points[point.cell] = Some((point.best, point.weight));
        }
        let own = encode(map).map_err(|problems| unmeasured::no_tree(&problems))?.cells();
        let mut judge = Judge { map, own: own_cost(&own, map, &points), points, priced: 0, unpriced: 0 };
        let mut axes = Vec::new();
        for axis in long_axes(map)? {
            axes.push(judge.gaps(axis, &encode).map_err(|problems| unmeasured::no_tree(&problems))?);
        }
        let Judge { own, priced, unpriced, .. } = judge;
        let all = priced + unpriced;
        if priced == 0 || unpriced as f64 > MAX_UNPRICED * all as f64 {
            return Err(unmeasured::unpriced(unpriced, all));
        }
        Ok(Self::of_blocks(&blocks(&axes), own))
    }

    fn of_blocks(blocks: &[Block], own: f64) -> Self {
        let of_rule = |rule: usize| (Borders::ALL[rule].1, interval(blocks, own, |costs| costs[rule]));
        let rules: [_; RULES] = std::array::from_fn(of_rule);
        let crossing = rules.iter().position(|(rule, _)| *rule == Borders::Crossing).expect("it is a rule");
        let difference = |rule: usize| interval(blocks, 0.0, |costs| costs[rule] - costs[crossing]);
        let is_better = |rule: &usize| blocks.len() >= MIN_BLOCKS && difference(*rule).high < 0.0;
        let better = (0..RULES).filter(is_better);
        let least = better.min_by(|one, other| rules[*one].1.mean.total_cmp(&rules[*other].1.mean));
        Self { preferred: rules[least.unwrap_or(crossing)].0, rules }
    }

    /// Returns the rules from the one that costs least.
    pub fn by_cost(&self) -> Vec<(Borders, Interval)> {
        let mut rules = self.rules.to_vec();
        rules.sort_by(|(_, one), (_, other)| one.mean.total_cmp(&other.mean));
        rules
    }

    /// Returns the costs as JSON: `preferred`, and `rules` with `borders`, `excess`, `low` and `high` of each.
    pub fn to_json(&self) -> Value {
        json!({
            "preferred": self.preferred.name(),
            "rules": self.by_cost().into_iter().map(as_json).collect::<Value>(),
        })
    }
}

fn as_json((borders, excess): (Borders, Interval)) -> Value {
    json!({ "borders": borders.name(), "excess": excess.mean, "low": excess.low, "high": excess.high })
}

/// Returns a cost in per cent with its interval, of the sums over blocks and of what decisions cost without regard to gaps.
fn interval(blocks: &[Block], own: f64, cost: impl Fn(&[f64; RULES]) -> f64) -> Interval {
    let items: Vec<(f64, f64)> = blocks.iter().map(|(costs, weight)| (cost(costs), *weight)).collect();
    let interval = Interval::of_ratio(&items).expect("some points are priced");
    interval.in_unit(|log| 100.0 * (own + log).exp_m1())
}

/// Prices decisions from some samples at the others.
struct Judge<'m> {
    map: &'m DecisionMap,
    /// The logarithm of what decisions from all samples cost at these samples, which does not depend on gaps.
    own: f64,
    /// The best time and the weight of each cell.
    points: Vec<Option<(f64, f64)>>,
    priced: u64,
    unpriced: u64,
}

impl Judge<'_> {
    fn gaps(
        &mut self,
        axis: usize,
        encode: &impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
    ) -> Result<Vec<Gap>, Problems> {
        let len = self.map.domain().axes()[axis].len();
        let mut gaps = vec![Gap::default(); len - 1];
        for (number, step) in STEPS.into_iter().enumerate() {
            for phase in 0..step {
                let kept: Vec<usize> = (phase..len).step_by(step).collect();
                if kept.len() > 1 {
                    let tree = encode(&self.map.at_samples(axis, &kept)?)?;
                    self.add(axis, number, &kept, &tree, &mut gaps);
                }
            }
        }
        Ok(gaps)
    }

    /// Adds what decisions from the kept samples of an axis cost between them.
    fn add(&mut self, axis: usize, step: usize, kept: &[usize], tree: &DecisionTree, gaps: &mut [Gap]) {
        let sizes = self.map.domain().axes()[axis].values().unwrap_or_default();
        let (cells, places, costs) = (tree.cells(), Places::new(self.map, axis), self.map.costs());
        let borders = Borders::ALL.map(|(_, rule)| -> Vec<u64> {
            let borders = kept.windows(2).enumerate().map(|(cut, pair)| match rule {
                Borders::Crossing => tree.threshold(axis, cut + 1),
                rule => rule.between(sizes[pair[0]], sizes[pair[1]]),
            });
            borders.collect()
        });
        for at in kept[0]..kept[kept.len() - 1] {
            let [lower, upper] = [sizes[at], sizes[at + 1]];
            if upper - lower < 2 {
                continue;
            }
            let length = (upper as f64 / lower.max(1) as f64).ln();
            for (place, size) in [(at, lower + 1), (at + 1, upper - 1)] {
                let samples =
                    borders.each_ref().map(|borders| borders.partition_point(|border| *border <= size));
                for around in 0..places.around() {
                    let cell = places.cell(around, place, sizes.len());
                    let Some((best, weight)) = self.points[cell] else { continue };
                    let methods = samples.map(|sample| cells[places.cell(around, sample, kept.len())]);
                    let times = methods.map(|method| costs?.get(cell, method?));
                    if times.contains(&None) {
                        self.unpriced += 1;
                        continue;
                    }
                    self.priced += 1;
                    gaps[at].weights[step] += weight * length;
                    for (cost, time) in gaps[at].costs[step].iter_mut().zip(times.into_iter().flatten()) {
                        *cost += weight * length * ((time / best).ln() - self.own);
                    }
                }
            }
        }
    }
}

/// Returns the mean logarithm of what the decisions of a map's cells cost over the best methods, where their times are known.
fn own_cost(own: &[Option<MethodIndex>], map: &DecisionMap, points: &[Option<(f64, f64)>]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (cell, (decision, point)) in own.iter().zip(points).enumerate() {
        let time = decision.and_then(|method| map.costs()?.get(cell, method));
        if let (Some(time), Some((best, weight))) = (time, point) {
            sum += weight * (time / best).ln();
            weights += weight;
        }
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

/// Returns blocks of gaps, whose ratio of sums is the cost with the gaps of the map, added over its axes.
fn blocks(axes: &[Vec<Gap>]) -> Vec<Block> {
    let totals: Vec<[f64; STEPS.len()]> = axes
        .iter()
        .map(|gaps| std::array::from_fn(|step| gaps.iter().map(|gap| gap.weights[step]).sum()))
        .collect();
    let exponent = exponent(axes, &totals);
    let factors = STEPS.map(|step| (step as f64).powf(-exponent));
    let all: f64 = totals.iter().flatten().sum();
    let mut blocks = Vec::new();
    for (gaps, total) in axes.iter().zip(&totals) {
        // Each axis adds its own mean, whatever its share of the weights is.
        let scale = all / total.iter().sum::<f64>();
        for block in gaps.chunks(BLOCK) {
            let weight: f64 = block.iter().flat_map(|gap| gap.weights).sum();
            let cost = |rule: usize| scale * block.iter().map(|gap| gap.cost(&factors, rule)).sum::<f64>();
            if weight > 0.0 {
                blocks.push((std::array::from_fn(cost), weight));
            }
        }
    }
    blocks
}

/// Returns the exponent of a gap to which the costs of all rules together are proportional.
fn exponent(axes: &[Vec<Gap>], totals: &[[f64; STEPS.len()]]) -> f64 {
    let [two, three] = std::array::from_fn(|step| {
        let axes = axes.iter().zip(totals).filter(|(_, total)| total[step] > 0.0);
        axes.map(|(gaps, total)| gaps.iter().flat_map(|gap| gap.costs[step]).sum::<f64>() / total[step])
            .sum::<f64>()
    });
    let [least, most] = EXPONENTS;
    let [second, third] = STEPS.map(|step| step as f64);
    let found = (three / two).ln() / (third / second).ln();
    // Without a cost, any exponent will do.
    if found.is_nan() { most } else { found.clamp(least, most) }
}
