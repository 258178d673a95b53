//! What a committed file tells of its origin and of its gain.

use qtdec_core::DecisionTree;
use qtdec_report::origin::of_source;
use qtdec_study::study::assess::{self, LeaveOut};
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::simple_rules::SimpleRules;
use qtdec_study::study::tree_on_map;
use qtdec_terminal::{Advice, Failure, Subject, gain, reported};
use serde_json::Value;

use crate::commands::trees::stats::has_costs_of;

/// Returns the lines about the origin of the code of trees: where and when their times were measured, or for what they were predicted, as
/// far as their sources tell, what else is known of them, and the command of this process, which makes the code again. There is no clock in
/// them: the same input gives the same lines.
pub(super) fn notes(trees: &[&DecisionTree], known: Vec<String>) -> Vec<String> {
    let command = Advice::of_process_without("--check").and_then(|command| command.short_line());
    let command = command.map(|command| format!("Made by: {command}"));
    let source = |tree: &&DecisionTree| serde_json::from_str(tree.source()?).ok();
    let sources: Vec<Value> = trees.iter().filter_map(source).collect();
    sources.iter().filter_map(origin).chain(known).chain(command).collect()
}

/// Returns on what and when the times were measured, or for what they were predicted. The name of a machine that was measured is nobody's
/// business in a published file. The source of a map is what a benchmark of
/// `qtdec-measure` recorded, or has the facts about the times that were read.
fn origin(source: &Value) -> Option<String> {
    let (done, at, told) = match of_source(source)? {
        "measured" => ("Measured", "on", ["cpu", "target"]),
        "predicted" => ("Predicted", "for", ["machine", "target"]),
        _ => ("Simulated", "for", ["machine", "target"]),
    };
    let facts = source.get("times").unwrap_or(source);
    let fact = |key: &str| facts.get(key)?.as_str();
    let place: Vec<&str> = told.into_iter().filter_map(fact).collect();
    let place = if place.is_empty() { String::new() } else { format!(" {at} {}", place.join(", ")) };
    let date = fact("date").or_else(|| fact("measured")).map(|date| format!(", {date}")).unwrap_or_default();
    (!place.is_empty() || !date.is_empty()).then(|| format!("{done}{place}{date}."))
}

/// Returns the lines about what a tree gains at the points of another map, or of times of another run: over the baseline, if the map has
/// one, and over rules of one line.
pub(super) fn gains(tree: &DecisionTree, against: &str) -> Result<Vec<String>, Failure> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_of_the_machine_and_the_date() {
        let own = json!({ "machine": "node", "cpu": "A 1", "target": "x86_64-linux", "date": "2026-11-23", "rounds": 10 });
        assert_eq!(origin(&own).unwrap(), "Measured on A 1, x86_64-linux, 2026-11-23.");
        let read = json!({ "files": ["a.csv"], "times": { "machine": "node", "measured": "Monday", "tool": "osu" } });
        assert_eq!(origin(&read).unwrap(), "Measured, Monday.");
        assert_eq!(origin(&json!({ "date": "2026", "rounds": 1 })).unwrap(), "Measured, 2026.");
        let predicted =
            json!({ "times": { "tool": "qtdec-mpi predict 0.1.0", "form": "simulated", "machine": "grid" } });
        assert_eq!(origin(&predicted).unwrap(), "Simulated for grid.");
        assert_eq!(origin(&json!({ "form": "printed", "machine": "grid" })).unwrap(), "Predicted for grid.");
        assert_eq!(origin(&json!({ "files": ["a.csv"], "made_by": "qtdec" })), None);
        assert_eq!(origin(&json!("text")), None);
    }
}
