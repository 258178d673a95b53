//! The commands that read the results of a script.

use std::fmt::Write as _;

use qtdec_mpi_library::catalogue::Placement;

use super::template::quoted;
use super::{Campaign, DEFAULT, grids};

/// Returns the command that creates a map from the results of a collective, without the methods that no file can choose.
pub fn map_command(campaign: &Campaign, collective: &str) -> String {
    let mut command = format!("qtdec map {}/{collective}", quoted(&campaign.results));
    let _ = write!(command, "{} --baseline {DEFAULT}", reading(campaign));
    for method in campaign.excluded() {
        let _ = write!(command, " --exclude {method}");
    }
    // With this baseline, no file is written for what divides the ranks among the nodes.
    for run in grids::runs_by_nodes(campaign, collective).0 {
        let _ = write!(command, " --exclude {}", quoted(&run.label()));
    }
    for run in campaign.runs(collective) {
        for requirement in run.method.algorithm.needs.iter().filter_map(|need| need.requirement()) {
            let _ = write!(command, " --requires '{}={requirement}'", run.label());
        }
    }
    let _ = write!(command, " -o {collective}.json");
    command
}

/// Returns the command that tunes the library with the results. It names no baseline: which of the library's own choices stands for
/// what a deployment replaces depends on the files that are written.
pub fn tune_command(campaign: &Campaign) -> String {
    let results = quoted(&campaign.results);
    let command = if campaign.path().is_some() { read_and_tune(campaign) } else { tune(campaign, &results) };
    format!("{command}{} -o tuned", each(campaign))
}

/// Returns the option that tunes for each of several sizes on which rules of the library cannot depend, if they were measured.
fn each(campaign: &Campaign) -> String {
    let knows_nodes = !matches!(campaign.library.library.placement(), Placement::Unknown(_));
    match (&campaign.comm_sizes[..], &campaign.ranks_per_node[..]) {
        (ranks @ [_, _, ..], _) if campaign.library.is_tuned_by_ranks => {
            format!(" --each comm_size={}", listed(ranks))
        }
        (_, ppn @ [_, _, ..]) if !knows_nodes => format!(" --each ppn={}", listed(ppn)),
        _ => String::new(),
    }
}

/// Returns the command that tunes the library with the results, after those that read them. The collectives of one file of times have
/// the same axes, so a barrier has its own.
fn read_and_tune(campaign: &Campaign) -> String {
    let results = quoted(&campaign.results);
    let folder = |collective: &String| format!("{results}/{collective}");
    let folders = |all: Vec<&String>| all.into_iter().map(folder).collect::<Vec<_>>();
    let (barriers, others) = campaign.collectives.iter().partition(|collective| *collective == "barrier");
    let groups: Vec<(&str, Vec<String>)> = match (folders(barriers), folders(others)) {
        (barriers, others) if !barriers.is_empty() && !others.is_empty() => {
            vec![("times.csv", others), ("barrier.csv", barriers)]
        }
        _ => vec![("times.csv", vec![results.clone()])],
    };
    let (mut reads, mut times) = (String::new(), Vec::new());
    for (file, folders) in groups {
        let _ = write!(reads, "qtdec read {}{} -o {file} && ", folders.join(" "), reading(campaign));
        times.push(file);
    }
    format!("{reads}{}", tune(campaign, &times.join(" ")))
}

fn tune(campaign: &Campaign, times: &str) -> String {
    let into = campaign.library.complete_file.map(|file| format!(" --into {file}"));
    format!(
        "qtdec-mpi tune {times} --library {}{}{}",
        campaign.library.name,
        release(campaign),
        into.unwrap_or_default()
    )
}

pub(super) fn read_command(campaign: &Campaign, results: &str, collective: &str, times: &str) -> String {
    format!("qtdec read {}/{collective}{} -o {times}", quoted(results), reading(campaign))
}

fn reading(campaign: &Campaign) -> String {
    campaign.path().map(|path| format!(" --path '{path}'")).unwrap_or_default()
}

/// Returns the option that names the release, if the script is for one.
fn release(campaign: &Campaign) -> String {
    campaign.release.map(|release| format!(" --release {release}")).unwrap_or_default()
}

/// Returns the command that writes the list of the next round.
pub fn next_command(campaign: &Campaign) -> String {
    let option = |is_used: bool, name: &str, numbers: &[u64]| {
        if is_used { format!(" {name} {}", listed(numbers)) } else { String::new() }
    };
    let ppn = option(!campaign.ranks_per_node.is_empty(), "--ppn", &campaign.ranks_per_node);
    let requests = option(campaign.has_requests(), "--requests", &campaign.requests);
    let segments = option(campaign.has_segments(), "--segments", &campaign.segments);
    format!(
        "qtdec-mpi race --library {}{} --collective {} --np {} --launcher {} --benchmark {} --msg-size {}..{}{segments}{requests}{ppn} \
         --results {results} --next {results}",
        campaign.library.name,
        release(campaign),
        campaign.collectives.join(","),
        listed(&campaign.comm_sizes),
        campaign.launcher.word(),
        campaign.benchmark.name,
        campaign.least,
        campaign.greatest,
        results = quoted(&campaign.results),
    )
}

/// Returns numbers separated by commas.
pub fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
