//! The decisions among some methods, and what they gain in launches that were held out.

use qtdec_core::{Calls, DecisionMap, DecisionTree, MethodIndex};
use qtdec_study::hold_out::Splits;
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::profile;
use qtdec_study::selection::Recipe;
use qtdec_study::study::launch_gain::{FoldMaps, LaunchGains, fold_maps};
use qtdec_study::study::mean_times::MeanTimes;
use qtdec_study::study::recommend::Recommendation;

use super::{Task, TuneFault};

/// The decisions among some methods, and what they gain.
pub(super) struct Chosen {
    pub(super) map: DecisionMap,
    pub(super) calls: Option<Calls>,
    pub(super) rated: Recommendation,
    pub(super) gains: LaunchGains,
    pub(super) splits: Splits,
}

impl Chosen {
    /// Returns the gains of the recommended trees in the launches that were held out from them, where the library carries out the calls of
    /// our own schedules by its default.
    pub(super) fn gains_of_the_file(&self, own: &[String]) -> Result<LaunchGains, TuneFault> {
        let mut gains = LaunchGains { units: self.gains.units, ..LaunchGains::default() };
        let folds = if self.splits.is_by_launch() { &self.splits.parts[..] } else { &[] };
        for (tree, (_, alone)) in self.rated.recommended.held_out.trees.iter().zip(folds) {
            gains.add(&of_the_library(tree, own), alone)?;
        }
        Ok(gains)
    }
}

/// Returns the tree without our own schedules, which the interposer carries out: in the tuning file, their calls keep the library's default.
pub(super) fn of_the_library(tree: &DecisionTree, own: &[String]) -> DecisionTree {
    let domain = tree.domain();
    let is_own = |method: &MethodIndex| own.contains(&domain.method(*method).label());
    let own: Vec<MethodIndex> = domain.method_indexes().filter(is_own).collect();
    tree.replaced(&own, domain.baseline())
}

pub(super) fn chosen(
    measurements: &Measurements,
    recipe: &Recipe,
    task: &Task<'_>,
    notes: &mut Notes,
) -> Result<Chosen, TuneFault> {
    let map = recipe.map(measurements, notes)?;
    let calls = match task.profile {
        Some(profile) => {
            let profile = profile::read(profile, &map, true).map_err(TuneFault::Profile)?;
            profile.beyond(&map).into_iter().for_each(|said| notes.add(said));
            of_measured(profile.calls, &map)
        }
        None => None,
    };
    let folds = fold_maps(measurements, recipe)?;
    let is_by_launch = !folds.is_empty();
    let splits = if is_by_launch {
        Splits { parts: folds, kind: None }
    } else {
        Splits::best_of(measurements, recipe, task.splits)?
    };
    let rated = Recommendation::new(&map, &task.recommend, &splits.parts)?;
    let held_out = &rated.recommended.held_out;
    let mut gains = match task.profile {
        _ if !is_by_launch => LaunchGains::default(),
        Some(profile) => gains_with_calls(&held_out.trees, &splits.parts, profile)?,
        None => held_out.gains.clone(),
    };
    gains.units = measurements.units();
    if is_by_launch {
        gains.means = MeanTimes::new(&held_out.trees, measurements, recipe)?;
    }
    Ok(Chosen { map, calls, rated, gains, splits })
}

/// Returns calls of the cells of a map, or `None` if there are none of measured cells.
fn of_measured(calls: Calls, map: &DecisionMap) -> Option<Calls> {
    let is_called = |(cell, best): (usize, &Option<MethodIndex>)| best.is_some() && calls.get(cell) > 0.0;
    map.cells().iter().enumerate().any(is_called).then_some(calls)
}

/// Returns the gains of trees, each in the launch that was held out from it, also in the time of the calls of a profile. The calls price
/// the trees and do not make them: a tuning file serves other programs too.
fn gains_with_calls(
    trees: &[DecisionTree],
    folds: &[FoldMaps],
    profile: &[u8],
) -> Result<LaunchGains, TuneFault> {
    let mut gains = LaunchGains::default();
    for (tree, (_, alone)) in trees.iter().zip(folds) {
        // A launch may lack sizes, whose calls count at the nearest one.
        let profile = profile::read(profile, alone, true).map_err(TuneFault::Profile)?;
        let called = match of_measured(profile.calls, alone) {
            Some(calls) => alone.clone().with_calls(calls).map_err(TuneFault::Profile)?,
            None => alone.clone(),
        };
        gains.add(tree, &called)?;
    }
    Ok(gains)
}
