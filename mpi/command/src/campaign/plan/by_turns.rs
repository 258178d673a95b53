//! The script that measures the library's own choice by turns, without and with a deployment.
//!
//! Two neighbours form a pair, called `pair1`, `pair2`, … on both sides; pairs are measured in the order without, with, with, without,
//! so that a steady change of the machine cancels.

use qtdec_study::study::pairs::PREFIX;

use super::Campaign;
use super::commands::read_command;
use super::lines::loops;
use super::one_a_job::Unit;
use super::script::{choose, failures, write};
use super::template::quoted;
use qtdec_terminal::Advice;

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
    let commands: Vec<String> =
        by_turns_commands(campaign, deployment).iter().map(|command| format!("#   {command}\n")).collect();
    let [without, with] = results(campaign);
    let own = [
        ("deployed_folder", quoted(deployed)),
        ("switches", quoted(&format!("{deployed}/switches.sh"))),
        ("without", quoted(&without)),
        ("with", quoted(&with)),
        ("benchmark_functions", campaign.benchmark.functions.to_owned()),
        ("benchmarks", campaign.starts_of_launch(true).to_string()),
        ("commands", commands.concat()),
        ("choose", choose(&loops(campaign, PREFIX, &turns.collect::<Vec<_>>()))),
        ("failures", failures("")),
    ];
    write(include_str!("script/by_turns.sh"), (campaign, Unit::Pair, campaign.repeats), &own)
}

/// Returns the commands that compare the times of each collective. The times from which the deployment was made show what was
/// promised.
pub fn by_turns_commands(campaign: &Campaign, deployment: &Deployment<'_>) -> Vec<String> {
    let [without, with] = results(campaign);
    let folders = [&*campaign.results, &*without, &*with];
    let mut commands = Vec::new();
    for collective in &campaign.collectives {
        let times = ["before", "without", "with"].map(|side| format!("{collective}-{side}.csv"));
        let read = folders.into_iter().zip(&times);
        let read = read.map(|(results, times)| read_command(campaign, results, collective, times));
        let tree = format!("{}/{collective}.tree.json", deployment.folder);
        let verify = Advice::to_verify(&times.each_ref().map(String::as_str), None, None, &tree).line();
        commands.push(read.chain([verify]).collect::<Vec<_>>().join(" && "));
    }
    commands
}

/// Returns the folders of the times without and with the deployment.
fn results(campaign: &Campaign) -> [String; 2] {
    ["without", "with"].map(|side| format!("{}-{side}", campaign.results))
}
