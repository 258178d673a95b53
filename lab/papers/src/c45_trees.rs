//! What the items of the paper on C4.5 have in common: trees by weight and confidence.

use qtdec_core::encode::{self, C45, Report};
use qtdec_core::map::combine::combine;
use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::c45_rules::{self, Rules};
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::part::of_2006;
use crate::table::number;

/// Weights (`-m`) and confidence levels (`-c`, in per cent) of a sweep.
pub(crate) const WEIGHTS: [u32; 7] = [2, 4, 6, 8, 10, 20, 40];
pub(crate) const CONFIDENCES: [f64; 3] = [25.0, 15.0, 5.0];

/// A few settings, from the default to the lightest tree.
pub(crate) const FEW: [(u32, f64); 5] = [(2, 25.0), (4, 25.0), (6, 15.0), (8, 5.0), (40, 5.0)];

/// Returns every setting of the sweep.
pub(crate) fn sweep() -> impl Iterator<Item = (u32, f64)> {
    WEIGHTS.into_iter().flat_map(|weight| CONFIDENCES.map(|confidence| (weight, confidence)))
}

fn encoder((weight, confidence): (u32, f64)) -> C45 {
    C45 { weight, confidence, ..C45::default() }
}

/// Returns the tree of a setting.
pub(crate) fn tree(map: &DecisionMap, setting: (u32, f64)) -> Result<DecisionTree, String> {
    encode::encode(map, &encoder(setting), Borders::Floor).map_err(|problem| problem.to_string())
}

/// Returns what C4.5 prints for a setting.
pub(crate) fn report(map: &DecisionMap, setting: (u32, f64)) -> Result<Report, String> {
    encoder(setting).report(map, Borders::Floor).map_err(|problem| problem.to_string())
}

/// Returns the production rules of a setting.
pub(crate) fn rules(map: &DecisionMap, setting: (u32, f64)) -> Result<Rules, String> {
    c45_rules::rules(&encoder(setting), map).map_err(|problem| problem.to_string())
}

/// Returns the maps of broadcast and reduce on Grig with the segments of the paper.
pub(crate) fn maps() -> Result<[DecisionMap; 2], String> {
    let [bcast, reduce] =
        [Collective::Bcast, Collective::Reduce].map(|collective| data::read(Cluster::Grig, collective));
    Ok([of_2006(&bcast?), of_2006(&reduce?)])
}

/// Returns the map of both collectives.
pub(crate) fn both() -> Result<DecisionMap, String> {
    combine(&maps()?).map_err(|problems| problems.to_string())
}

/// Returns the size and the errors of a setting, before and after pruning.
pub(crate) fn size_and_errors(report: &Report) -> Vec<String> {
    let percent = |fit: &encode::Fit| number(Some(100.0 * fit.errors as f64 / fit.cases as f64), 2);
    let Report { before, after, .. } = report;
    vec![
        before.leaves.to_string(),
        before.errors.to_string(),
        percent(before),
        after.leaves.to_string(),
        after.errors.to_string(),
        percent(after),
        number(Some(after.predicted), 2),
    ]
}

/// The titles of [`size_and_errors`].
pub(crate) const SIZE_AND_ERRORS: [&str; 7] = [
    "before pruning: leaves",
    "before pruning: errors",
    "before pruning: errors %",
    "after pruning: leaves",
    "after pruning: errors",
    "after pruning: errors %",
    "after pruning: predicted errors %",
];

/// Returns the penalty of a tree: min, max, mean and median, in per cent.
pub(crate) fn penalties(tree: &DecisionTree) -> [String; 4] {
    let penalty = tree.statistics().encoding.quality.penalty.as_ref();
    let of = |part: fn(&qtdec_core::Penalty) -> f64| number(penalty.map(part), 2);
    [of(|own| own.min), of(|own| own.max), of(|own| own.mean), of(|own| own.median)]
}

/// The titles of [`penalties`].
pub(crate) const PENALTIES: [&str; 4] =
    ["penalty %: min", "penalty %: max", "penalty %: mean", "penalty %: median"];
