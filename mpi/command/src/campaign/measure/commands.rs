//! The commands that read the results of a script, and the description that is beside them, so that they need no options.

use qtdec_mpi_library::catalogue::Placement;
use qtdec_study::readers::campaign::FORMAT;
use qtdec_terminal::Advice;
use serde_json::{Map, Value, json};

use super::by_turns::Deployment;
use super::template::quoted;
use super::{Campaign, DEFAULT, grids};

/// Returns the description of the results: the pattern of their paths, and for the map of each collective the baseline, the methods that no
/// file can choose, and what the algorithms require.
pub(super) fn description(campaign: &Campaign) -> String {
    let map = |collective: &String| {
        // With this baseline, no file is written for what divides the ranks among the nodes.
        let by_nodes = grids::runs_by_nodes(campaign, collective).0;
        let by_nodes = by_nodes.iter().map(super::Run::label);
        let exclude: Vec<String> =
            campaign.excluded().iter().map(ToString::to_string).chain(by_nodes).collect();
        let runs = campaign.runs(collective);
        let requires = runs.iter().flat_map(|run| {
            let needs = run.method.algorithm.needs.iter().filter_map(|need| need.requirement());
            needs.map(|requirement| format!("{}={requirement}", run.label()))
        });
        let requires: Vec<String> = requires.collect();
        let map = json!({ "baseline": [DEFAULT], "exclude": exclude, "requires": requires });
        (collective.clone(), map)
    };
    let maps: Map<String, Value> = campaign.collectives.iter().map(map).collect();
    let mut described = json!({ "format": FORMAT, "maps": maps, "options": options(campaign) });
    if let Some(path) = campaign.path() {
        described["path"] = path.into();
    }
    format!("{described:#}")
}

/// Returns the options that say how a job starts the benchmark.
fn options(campaign: &Campaign) -> Vec<String> {
    let mut options = vec!["--launcher".to_owned(), campaign.launcher.program().to_owned()];
    if !campaign.launcher_arguments.is_empty() {
        let words: Vec<String> = campaign.launcher_arguments.iter().map(|word| quoted(word)).collect();
        options.push(format!("--launcher-args={}", words.join(" ")));
    }
    let job = &campaign.job;
    let named = [("--account", &job.account), ("--partition", &job.partition), ("--time", &job.time)];
    for (name, value) in named {
        options.extend(value.iter().flat_map(|value| [name.to_owned(), value.clone()]));
    }
    options
}

/// Returns the command that tunes the library with the results. It names no baseline: which of the library's own choices stands for
/// what a deployment replaces depends on the files that are written.
pub fn tune_command(campaign: &Campaign) -> String {
    let into = campaign.library.complete_file.map(|file| format!(" --into {file}"));
    format!(
        "qtdec-mpi tune {} --library {}{}{}{} -o tuned",
        quoted(&campaign.results),
        campaign.library.name,
        release(campaign),
        into.unwrap_or_default(),
        each(campaign)
    )
}

/// Returns the lines that compare the times of each collective without and with a deployment. The times from which it was made show what
/// was promised.
pub(super) fn comparisons(campaign: &Campaign, deployment: &Deployment<'_>) -> String {
    let [without, with] = campaign.sides();
    let folders = [&campaign.results, &without, &with];
    let line = |collective: &String| {
        let times = ["before", "without", "with"].map(|side| format!("{collective}-{side}.csv"));
        let read = folders.into_iter().zip(&times).map(|(results, times)| {
            let folder = format!("{results}/{collective}");
            Advice::new(["read", &folder, "-o", times]).line()
        });
        let tree = format!("{}/{collective}.tree.json", deployment.folder);
        let verify = Advice::to_verify(&times.each_ref().map(String::as_str), None, None, &tree).line();
        format!("{} || status=$?\n", read.chain([verify]).collect::<Vec<_>>().join(" &&\n  "))
    };
    campaign.collectives.iter().map(line).collect()
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

/// Returns the option that names the release, if the script is for one.
fn release(campaign: &Campaign) -> String {
    campaign.release.map(|release| format!(" --release {release}")).unwrap_or_default()
}

/// Returns numbers separated by commas.
pub fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
