//! The script that measures the library's own choice by turns, without and with a deployment.
//!
//! Two neighbours form a pair, called `pair1`, `pair2`, … on both sides; pairs are measured in the order without, with, with, without,
//! so that a steady change of the machine cancels.

use qtdec_study::study::pairs::PREFIX;

use super::Campaign;
use super::commands::comparisons;
use super::lines::loops;
use super::one_a_job::Unit;
use super::script::{choose, failures, write};
use super::template::quoted;

/// A deployment that is measured.
pub struct Deployment<'d> {
    /// Its folder, with `switches.sh`.
    pub folder: &'d str,
    /// The method that stands for the library's own choice in the tree of a collective.
    pub own: &'d dyn Fn(&str) -> String,
}

/// Returns the script for Bash that measures by turns.
pub fn by_turns_script(campaign: &Campaign, deployment: &Deployment<'_>) -> String {
    let deployed = deployment.folder;
    let turn =
        |name: &String| Some(format!("by_turns {}", campaign.own_words(name, 0, &(deployment.own)(name))?));
    let turns = campaign.collectives.iter().filter_map(turn);
    let [without, with] = campaign.sides();
    let own = [
        ("deployed_folder", quoted(deployed)),
        ("switches", quoted(&format!("{deployed}/switches.sh"))),
        ("without", quoted(&without)),
        ("with", quoted(&with)),
        ("benchmark_functions", campaign.benchmark.functions.to_owned()),
        ("benchmarks", campaign.starts_of_launch(true).to_string()),
        ("comparisons", comparisons(campaign, deployment)),
        ("choose", choose(&loops(campaign, PREFIX, &turns.collect::<Vec<_>>()))),
        ("failures", failures()),
    ];
    write(include_str!("script/by_turns.sh"), (campaign, Unit::Pair, campaign.repeats), &own)
}
