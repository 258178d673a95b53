//! The gain in the mean of the repeats. Calls that are rare and slow do not change the median, and a program waits for them too.

use std::collections::BTreeMap;

use qtdec_core::{DecisionTree, Problems};

use super::launch_interval::{LEVEL, LaunchMean};
use super::spread::mean;
use super::tree_on_map;
use crate::launches::folds;
use crate::measurements::{Measurements, Statistic};
use crate::notes::Notes;
use crate::selection::Recipe;

/// A slowdown in per cent up to which a cell is not slower than the default: that of the recommended tree.
pub(super) const CAP: f64 = 1.0;

/// The logarithm ln(t\[default\] / t\[chosen\]) of mean times, at each point for each launch that was held out from the decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeanTimes(pub BTreeMap<Vec<u64>, Vec<f64>>);

impl MeanTimes {
    /// Returns the logarithms for trees, each made of the launches without one: that of [`folds`] at the same position. There are none
    /// if the times of the recipe are means already, or if the map has no default.
    ///
    /// # Errors
    ///
    /// Fails if a launch does not make a map, or if a tree has other axes.
    pub fn new(
        trees: &[DecisionTree],
        measurements: &Measurements,
        recipe: &Recipe,
    ) -> Result<Self, Problems> {
        let mut found = Self::default();
        if recipe.statistic == Some(Statistic::Mean) {
            return Ok(found);
        }
        let means = Recipe { statistic: Some(Statistic::Mean), ..recipe.of_prices() };
        for (tree, fold) in trees.iter().zip(folds(measurements)) {
            let map = means.map(&fold.alone, &mut Notes::default())?;
            let Some((costs, default)) = map.costs().zip(map.domain().baseline()) else { continue };
            for (cell, chosen) in tree_on_map::decisions(tree, &map)?.into_iter().enumerate() {
                let chosen = chosen.and_then(|chosen| costs.get(cell, chosen));
                let Some((default, chosen)) = costs.get(cell, default).zip(chosen) else { continue };
                found.0.entry(map.domain().sizes(cell)).or_default().push((default / chosen).ln());
            }
        }
        Ok(found)
    }

    /// Returns the mean logarithm over the points, or `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.0.values().map(|logs| mean(logs)).sum();
        (!self.0.is_empty()).then(|| sum / self.0.len() as f64)
    }

    /// Returns the points at which the mean time is longer than the default's although the usual one is shorter, the worst first, with
    /// the mean logarithm. `usual` are the logarithms of the usual times. The interval of the mean lies below the cap, at a level that is
    /// corrected for the number of points.
    pub fn slower<'t>(&'t self, usual: &BTreeMap<Vec<u64>, Vec<f64>>) -> Vec<(&'t [u64], f64)> {
        let level = LEVEL / self.0.len() as f64;
        let cap = -(1.0 + CAP / 100.0).ln();
        let is_usually_faster = |sizes: &Vec<u64>| usual.get(sizes).is_some_and(|logs| mean(logs) > 0.0);
        let is_slower =
            |logs: &[f64]| LaunchMean::from_held_out(logs).is_some_and(|mean| mean.ends(level)[1] < cap);
        let slower = self.0.iter().filter(|(sizes, logs)| is_usually_faster(sizes) && is_slower(logs));
        let mut slower: Vec<(&[u64], f64)> =
            slower.map(|(sizes, logs)| (sizes.as_slice(), mean(logs))).collect();
        slower.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        slower
    }
}
