//! What a committed file tells of its gain.

use qtdec_core::DecisionTree;
use qtdec_study::study::assess::{self, LeaveOut};
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::simple_rules::SimpleRules;
use qtdec_study::study::tree_on_map;
use qtdec_terminal::{Failure, Subject, gain, reported};

use crate::commands::trees::stats::has_costs_of;

/// Returns the lines about what a tree gains at the points of another map, or of times of another run: over the baseline, if the map has
/// one, and over rules of one line.
pub(super) fn notes(tree: &DecisionTree, against: &str) -> Result<Vec<String>, Failure> {
    let map = Subject::open(against)?.map;
    let decisions = reported(against, tree_on_map::decisions(tree, &map))?;
    let Some(cells) = assess::cells(&decisions, &map, &LeaveOut::default()) else {
        return Err(Failure::input(format!("no gain is known: the map of `{against}` has no costs")));
    };
    // Two runs may cost nothing both: then only the sources tell them apart.
    let is_told_by_costs =
        tree.statistics().encoding.quality.penalty.as_ref().is_some_and(|own| own.max > 0.0);
    if has_costs_of(tree, &map) && (is_told_by_costs || tree.source() == map.source()) {
        return Err(Failure::input(format!(
            "the tree was made from the times of `{against}`, so nothing is held out: name those of another run with --against"
        )));
    }
    let over_baseline = OverDefault::from_decisions(&decisions, &map, &cells)
        .map(|compared| gain::held_out(&compared, compared.interval(&map), &map));
    let over_rules =
        SimpleRules::from_decisions(&decisions, &map, &cells).map(|rules| gain::over_rules(&rules, &map));
    let gains = over_baseline.into_iter().chain(over_rules);
    Ok(gains.map(|gain| format!("Gain in `{against}`: {gain}.")).collect())
}
