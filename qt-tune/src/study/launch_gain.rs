//! The gain over the library's own choice in each launch, of decisions that were made from the other launches.

use std::collections::BTreeMap;

use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Problems};

use super::against;
use super::launch_interval::LaunchMean;
use super::recommend::{RecommendOptions, recommended, tree};
use crate::measure::launches::folds;
use crate::measure::measurements::Measurements;
use crate::measure::notes::Notes;
use crate::measure::selection::Recipe;

/// The gains of held-out launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchGains {
    /// The mean over the cells of ln(t\[default\] / t\[chosen\]), for each launch.
    pub logs: Vec<f64>,
    /// The same logarithm at each point, for each launch that has it.
    pub points: BTreeMap<Vec<u64>, Vec<f64>>,
}

/// The maps of one fold: one to decide from, and one to evaluate the decisions with.
pub type FoldMaps = (DecisionMap, DecisionMap);

/// Returns the maps of each launch and the others without it, or nothing if there is only one launch.
///
/// # Errors
///
/// Fails if a part does not make a map.
pub fn fold_maps(measurements: &Measurements, recipe: &Recipe) -> Result<Vec<FoldMaps>, Problems> {
    let map = |part: &Measurements| recipe.map(part, &mut Notes::default());
    folds(measurements).map(|fold| Ok((map(&fold.others)?, map(&fold.alone)?))).collect()
}

impl LaunchGains {
    /// Returns the gains of the recommended trees of the folds of measurements; `map` is the map of all of them.
    ///
    /// # Errors
    ///
    /// Fails if no tree can be recommended.
    pub fn of_recommended(
        map: &DecisionMap,
        folds: &[FoldMaps],
        options: &RecommendOptions,
    ) -> Result<Self, Problems> {
        let options = recommended(map, options)?.options;
        let mut gains = Self::default();
        for (others, alone) in folds {
            gains.add(&tree(others, &options)?, alone)?;
        }
        Ok(gains)
    }

    /// Adds the gain of a tree in one launch, over the cells in which the default and the decision have a time. There is none if
    /// the map has no default or no such cell.
    ///
    /// # Errors
    ///
    /// Fails if the tree has other axes.
    pub fn add(&mut self, tree: &DecisionTree, alone: &DecisionMap) -> Result<(), Problems> {
        self.add_decisions(&against::decisions(tree, alone)?, alone);
        Ok(())
    }

    /// Adds the gain of decisions, one for each cell of the map of one launch.
    pub fn add_decisions(&mut self, decisions: &[Option<MethodIndex>], alone: &DecisionMap) {
        let (Some(costs), Some(default)) = (alone.costs(), alone.domain().baseline()) else { return };
        let (mut sum, mut cells) = (0.0, 0_u32);
        for (cell, chosen) in decisions.iter().enumerate() {
            let cost = |method: MethodIndex| costs.get(cell, method);
            let Some((own, chosen)) = cost(default).zip(chosen.and_then(cost)) else { continue };
            let log = (own / chosen).ln();
            self.points.entry(alone.domain().sizes(cell)).or_default().push(log);
            sum += log;
            cells += 1;
        }
        if cells > 0 {
            self.logs.push(sum / f64::from(cells));
        }
    }

    /// Returns the number of launches.
    pub fn launches(&self) -> usize {
        self.logs.len()
    }

    /// Returns the number of cells that the gains stand on.
    pub fn cells(&self) -> usize {
        self.points.len()
    }

    /// Returns the mean logarithm with its error, or `None` for fewer than two launches.
    pub fn mean(&self) -> Option<LaunchMean> {
        LaunchMean::of_held_out(&self.logs)
    }
}
