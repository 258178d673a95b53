//! The functions of a script that measure a launch.

use std::fmt::Write as _;

use qtdec_mpi_library::catalogue::Need;

use super::template::fill;
use super::{Campaign, DEFAULT, Smallest};

/// Returns the functions that measure a launch: the default and every other method with the library's switches, and the untouched library,
/// in an order that differs between launches.
pub(super) fn benchmarks(campaign: &Campaign) -> String {
    let mut methods = String::new();
    let mut turns = Vec::new();
    for collective in &campaign.collectives {
        let lines = lines(campaign, collective);
        for (place, line) in lines.iter().enumerate() {
            let _ = writeln!(methods, "{collective}:{place}) {line} ;;");
        }
        turns.push(format!("rotated {collective} {}", lines.len()));
    }
    let methods = fill(include_str!("script/method.sh"), &[("methods", &methods)]);
    format!("{methods}\n{}", loops(campaign, "", &turns))
}

fn lines(campaign: &Campaign, collective: &str) -> Vec<String> {
    let own: Vec<_> = campaign.own_choices().collect();
    let mut lines = Vec::new();
    for (index, (name, switches)) in own.iter().enumerate() {
        let Some(words) = campaign.own_words(collective, index, name) else { continue };
        let own = campaign.own_variables(name, collective);
        let variables = if *name == DEFAULT {
            variables(campaign, own.as_slice())
        } else {
            let all = switches.iter().map(ToString::to_string).chain(own);
            all.fold(String::new(), |words, variable| format!("{words} {variable}"))
        };
        lines.push(format!("measure {words}{variables}"));
    }
    lines.extend(campaign.forced_lines(collective, own.len()));
    lines
}

/// Returns words that pass the library's switches to a benchmark, if it has any, and these variables.
pub(super) fn variables(campaign: &Campaign, variables: &[String]) -> String {
    let switches = if campaign.switches().is_empty() { "" } else { " \"${switches[@]}\"" };
    variables.iter().fold(switches.to_owned(), |words, variable| format!("{words} {variable}"))
}

/// Returns the function that measures a launch: lines in loops over every number of ranks per node and, if there is a benchmark for each,
/// number of ranks. The name of the launch in the times begins with `prefix`.
pub(super) fn loops(campaign: &Campaign, prefix: &str, lines: &[String]) -> String {
    let mut text = format!("measure_launch() {{\n  run={prefix}$launch\n");
    let mut depth = 1;
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let ranks = if campaign.benchmark.measures_grids() { &[] } else { &campaign.comm_sizes[..] };
    for (name, values) in [("ppn", &campaign.ranks_per_node[..]), ("ranks", ranks)] {
        let indent = "  ".repeat(depth);
        match values[..] {
            [] => {}
            [value] => {
                let _ = writeln!(text, "{indent}{name}={value}");
            }
            _ => {
                let _ = writeln!(text, "{indent}for {name} in {}; do", list(values));
                depth += 1;
            }
        }
    }
    for line in lines {
        let _ = writeln!(text, "{}{line}", "  ".repeat(depth));
    }
    for depth in (1..depth).rev() {
        let _ = writeln!(text, "{}done", "  ".repeat(depth));
    }
    text.push_str("}\n");
    text
}

/// Returns the function that checks whether a number of ranks meets a need.
pub(super) fn guard(need: Need) -> Option<&'static str> {
    match need {
        Need::PowerOfTwo => Some("is_power_of_two"),
        Need::Even => Some("is_even"),
        Need::TwoRanks => Some("is_two"),
        _ => None,
    }
}

/// Returns the smallest message in bytes as a word of a shell that knows the number of ranks.
pub(super) fn expression(smallest: Smallest) -> String {
    match smallest.per_rank {
        0 => smallest.fixed.to_string(),
        1 => "\"$ranks\"".to_owned(),
        bytes => format!("\"$(({bytes} * ranks))\""),
    }
}
