//! The gain over the library's own choice in each launch, of decisions that were made from the other launches.

use std::collections::BTreeMap;
use std::fmt;

use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Problems};

use super::launch_interval::{LEVEL, LaunchMean};
use super::mean_times::MeanTimes;
use super::moderated::Exchanges;
use super::spread::mean;
use super::tree_on_map;
use crate::launches::folds;
use crate::measurements::{Measurements, Unit};
use crate::notes::Notes;
use crate::selection::Recipe;

/// The gains of held-out launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchGains {
    /// What the launches are: jobs if there are several.
    pub units: Unit,
    /// The mean over the cells of ln(t\[default\] / t\[chosen\]), for each launch.
    pub logs: Vec<f64>,
    /// The same logarithm at each point, for each launch that has it.
    pub points: BTreeMap<Vec<u64>, Vec<f64>>,
    /// The same logarithm of mean times.
    pub means: MeanTimes,
    /// ln(Σ n·t\[default\] / Σ n·t\[chosen\]) over the cells, with n calls of each, for each launch whose map has calls.
    pub called: Vec<f64>,
    /// The times of all methods in the launches, of which the variance is moderated.
    pub exchanges: Exchanges,
}

/// The speed-up in the time that the calls of a profile take: Σ n·t\[default\] / Σ n·t\[chosen\] − 1, with n calls of each cell.
///
/// Each cell is weighted by the time that its calls take under the default: the ratio is the harmonic mean of t\[default\] /
/// t\[chosen\] with the weights n·t\[default\]. The geometric mean with these weights would be above 1 for methods that take the same
/// time, because a default that is slow by chance has a greater weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeWeighted {
    /// The speed-up: the mean of its logarithm over the launches, each held out.
    pub speed_up: f64,
    /// The lower end of its 95 % interval, for this collective alone.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of launches or jobs.
    pub launches: usize,
    /// What they are.
    pub units: Unit,
}

/// The speed-up in per cent, with its interval and launches.
impl fmt::Display for TimeWeighted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [speed_up, low, high] = [self.speed_up, self.low, self.high].map(|part| 100.0 * part);
        let launches = self.units.counted(self.launches);
        write!(formatter, "{speed_up:+.2} % (95 %: {low:+.2} to {high:+.2} %; {launches})")
    }
}

/// The maps of one fold: one to decide from, and one to evaluate the decisions with.
pub type FoldMaps = (DecisionMap, DecisionMap);

/// Returns the maps of each launch and the others without it, or nothing if there is only one launch.
///
/// # Errors
///
/// Fails if a part does not make a map.
pub fn fold_maps(measurements: &Measurements, recipe: &Recipe) -> Result<Vec<FoldMaps>, Problems> {
    let map = |part: &Measurements, recipe: &Recipe| recipe.map(part, &mut Notes::default());
    let prices = recipe.of_prices();
    folds(measurements).map(|fold| Ok((map(&fold.others, recipe)?, map(&fold.alone, &prices)?))).collect()
}

impl LaunchGains {
    /// Adds the gain of a tree in one launch, over the cells in which the default and the decision have a time. There is none if
    /// the map has no default or no such cell.
    ///
    /// # Errors
    ///
    /// Fails if the tree has other axes.
    pub fn add(&mut self, tree: &DecisionTree, alone: &DecisionMap) -> Result<(), Problems> {
        self.add_decisions(&tree_on_map::decisions(tree, alone)?, alone);
        Ok(())
    }

    /// Adds the gain of decisions, one for each cell of the map of one launch.
    pub fn add_decisions(&mut self, decisions: &[Option<MethodIndex>], alone: &DecisionMap) {
        let (Some(costs), Some(default)) = (alone.costs(), alone.domain().baseline()) else { return };
        let calls = |cell: usize| alone.calls().map_or(0.0, |calls| calls.get(cell));
        let (mut sum, mut cells) = (0.0, 0_u32);
        let mut called = [0.0; 2];
        for (cell, chosen) in decisions.iter().enumerate() {
            let cost = |method: MethodIndex| costs.get(cell, method);
            let Some((own, chosen)) = cost(default).zip(chosen.and_then(cost)) else { continue };
            let log = (own / chosen).ln();
            self.points.entry(alone.domain().sizes(cell)).or_default().push(log);
            sum += log;
            cells += 1;
            called[0] += calls(cell) * own;
            called[1] += calls(cell) * chosen;
        }
        if cells > 0 {
            self.logs.push(sum / f64::from(cells));
            self.exchanges.add(decisions, alone);
        }
        if called[1] > 0.0 {
            self.called.push((called[0] / called[1]).ln());
        }
    }

    /// Returns the mean logarithm at each point, the greatest gain first.
    pub fn by_point(&self) -> Vec<(&[u64], f64)> {
        let mut points: Vec<(&[u64], f64)> =
            self.points.iter().map(|(sizes, logs)| (sizes.as_slice(), mean(logs))).collect();
        points.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        points
    }

    /// Returns the fewest points that carry half of the gain or more, the greatest first; none if there is no gain.
    pub fn carriers(&self) -> Vec<(&[u64], f64)> {
        let points = self.by_point();
        let half = points.iter().map(|(_, log)| log).sum::<f64>() / 2.0;
        let mut carried = 0.0;
        let needed = points.into_iter().take_while(|(_, log)| {
            let is_needed = half > 0.0 && carried < half;
            carried += log;
            is_needed
        });
        needed.collect()
    }

    /// Returns the ends of the interval in which a second campaign of this many launches finds the gain, as ratios minus 1: with a
    /// probability of 95 % if the machine is the same then. `None` for fewer than two launches.
    pub fn again(&self, launches: usize) -> Option<[f64; 2]> {
        Some(self.mean()?.again(self.logs.len(), launches)?.map(f64::exp_m1))
    }

    /// Returns the speed-up in the time of a profile's calls, or `None` without a profile or for fewer than two launches with times of its
    /// calls.
    pub fn time_weighted(&self) -> Option<TimeWeighted> {
        let mean = LaunchMean::from_held_out(&self.called)?;
        let [low, high] = mean.ends(LEVEL).map(f64::exp_m1);
        Some(TimeWeighted {
            speed_up: mean.mean.exp_m1(),
            low,
            high,
            launches: self.called.len(),
            units: self.units,
        })
    }

    /// Returns the mean logarithm with its error, or `None` for fewer than two launches.
    pub fn mean(&self) -> Option<LaunchMean> {
        self.exchanges.moderated(&self.logs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_carry_half_of_the_gain() {
        let points = [(1, vec![0.1, 0.3]), (2, vec![1.0, 1.2]), (3, vec![0.5, 0.7]), (4, vec![-0.1, -0.1])];
        let points = points.map(|(size, logs)| (vec![size], logs));
        let gains = LaunchGains { logs: vec![0.375, 0.525], points: points.into(), ..LaunchGains::default() };
        let sizes: Vec<u64> = gains.carriers().iter().map(|(sizes, _)| sizes[0]).collect();
        assert_eq!(sizes, [2]);
        let slower = LaunchGains { logs: vec![-1.0], points: [(vec![1], vec![-1.0])].into(), ..gains };
        assert!(slower.carriers().is_empty());
    }
}
