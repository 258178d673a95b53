//! The lines of a script that measure, in loops.

use std::fmt::Write as _;

use qtdec_mpi_library::catalogue::Need;

use super::{Campaign, DEFAULT, Smallest};

/// Returns the lines that measure the default and every other method with the library's switches, and the untouched library, or only the
/// default without any unless they are `forced`, in loops.
pub(super) fn benchmarks(campaign: &Campaign, forced: bool) -> String {
    let scheme = campaign.scheme();
    let mut lines = Vec::new();
    for collective in &campaign.collectives {
        let measure = |index: usize, name: &str, variables: &str| {
            let words = scheme.own(campaign, collective, index, name)?;
            Some(format!("measure {words}{variables}"))
        };
        if !forced {
            lines.extend(measure(0, DEFAULT, ""));
            continue;
        }
        let own: Vec<_> = campaign.own_choices().collect();
        lines.extend(own.iter().enumerate().filter_map(|(index, (name, switches))| {
            let own = campaign.own_variables(name, collective);
            if *name == DEFAULT {
                return measure(index, name, &variables(campaign, &own));
            }
            let all = switches.iter().map(ToString::to_string).chain(own);
            measure(index, name, &all.fold(String::new(), |words, variable| format!("{words} {variable}")))
        }));
        lines.extend(scheme.forced(campaign, collective, own.len()));
    }
    loops(campaign, "run", &lines)
}

/// Returns words that pass the library's switches to a benchmark, if it has any, and these variables.
pub(super) fn variables(campaign: &Campaign, variables: &[String]) -> String {
    let switches = if campaign.switches().is_empty() { "" } else { " \"${switches[@]}\"" };
    variables.iter().fold(switches.to_owned(), |words, variable| format!("{words} {variable}"))
}

/// Returns lines in loops over every run, number of ranks per node and, if there is a launch for each, number of ranks. The runs are
/// outermost, so that a temporary disturbance affects one run of all methods rather than all runs of one.
pub(super) fn loops(campaign: &Campaign, run: &str, lines: &[String]) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let runs: Vec<u64> = (1..=campaign.repeats).collect();
    let ranks = if campaign.scheme().is_for_each_ranks() { &campaign.comm_sizes[..] } else { &[] };
    for (name, values) in [(run, &runs[..]), ("ppn", &campaign.ranks_per_node), ("ranks", ranks)] {
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
    for depth in (0..depth).rev() {
        let _ = writeln!(text, "{}done", "  ".repeat(depth));
    }
    text
}

/// Returns the function that checks whether a number of ranks meets a need.
pub(super) fn guard(need: Need) -> Option<&'static str> {
    match need {
        Need::PowerOfTwo => Some("is_power_of_two"),
        Need::Even => Some("is_even"),
        Need::TwoRanks => Some("is_two"),
        Need::CountAtLeastCommSize | Need::Commutative => None,
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
