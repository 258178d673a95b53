//! A launch for all numbers of ranks: of one method, of all algorithms that the benchmark can switch, of compositions of two levels, or of an
//! algorithm of the library that has two.

use qtdec_mpi_run::abilities::FORCED;
use qtdec_mpi_run::own::PREFIX;
use qtdec_mpi_schedule::TwoLevel;

use super::lines::variables;
use super::template::quoted;
use super::{Campaign, Run, Series, composed};

/// The file of the algorithms that one launch measures.
const ALL: &str = "forced";

pub(super) fn own(campaign: &Campaign, collective: &str, index: usize, method: &str) -> Option<String> {
    let series = campaign.own_series(collective, method);
    words(campaign, (collective, method), index, &series, &quoted(method))
}

pub(super) fn forced(campaign: &Campaign, collective: &str, own: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, Group { file, methods, forcing, series }) in (own..).zip(groups(campaign, collective)) {
        let words = words(campaign, (collective, &file), index, &series, &methods.join(","));
        lines.extend(words.map(|words| format!("measure {words}{}", variables(campaign, &forcing))));
    }
    lines
}

/// The methods of one launch other than the library's own choices.
pub(super) struct Group {
    /// The name of the file.
    file: String,
    /// The methods, as the benchmark is told them.
    methods: Vec<String>,
    /// The variables that force them.
    forcing: Vec<String>,
    pub(super) series: Vec<Series>,
}

pub(super) fn groups(campaign: &Campaign, collective: &str) -> Vec<Group> {
    let runs = campaign.runs(collective);
    let mut groups: Vec<Group> = Vec::new();
    if campaign.benchmark.switches.is_some_and(|switches| switches(campaign.library.library, collective)) {
        let methods = runs.iter().map(Run::label).collect();
        let series = campaign.series(collective, &runs);
        groups.push(Group { file: ALL.to_owned(), methods, forcing: Vec::new(), series });
    } else {
        groups.extend(runs.iter().map(|run| forced_by_variables(campaign, collective, run)));
    }
    groups.extend(by_nodes(campaign, collective));
    groups.extend(composed(campaign, collective));
    groups
}

/// Returns the launch of a method that variables force.
fn forced_by_variables(campaign: &Campaign, collective: &str, run: &Run) -> Group {
    let file = match run.segment {
        0 => run.name(),
        segment => format!("{}_seg{segment}", run.name()),
    };
    Group {
        file,
        methods: vec![format!("{FORCED}{}", run.label())],
        forcing: campaign.forcing(collective, *run),
        series: campaign.series(collective, &[*run]),
    }
}

/// Returns the numbers of ranks that fill several nodes, each of which has several of them. Which of a job's ranks share a node must be
/// known.
fn of_whole_nodes(campaign: &Campaign) -> Vec<u64> {
    let &[per_node] = &campaign.ranks_per_node[..] else { return Vec::new() };
    let has_levels = |ranks: &u64| per_node > 1 && *ranks > per_node && ranks.is_multiple_of(per_node);
    campaign.comm_sizes.iter().copied().filter(has_levels).collect()
}

/// Returns the library's algorithms that divide the ranks among the nodes, as methods that are measured, and the numbers of ranks.
pub(super) fn runs_by_nodes(campaign: &Campaign, collective: &str) -> (Vec<Run>, Vec<u64>) {
    let comm_sizes = of_whole_nodes(campaign);
    if comm_sizes.is_empty() || !campaign.benchmark.measures_grids() {
        return (Vec::new(), comm_sizes);
    }
    let algorithms = campaign.library.algorithms_by_nodes(collective, campaign.measured_release());
    (algorithms.into_iter().map(|method| Run { method, segment: 0, requests: 0 }).collect(), comm_sizes)
}

/// Returns a launch for each of them, on whole nodes.
fn by_nodes(campaign: &Campaign, collective: &str) -> Vec<Group> {
    let (runs, comm_sizes) = runs_by_nodes(campaign, collective);
    let mut groups: Vec<Group> =
        runs.iter().map(|run| forced_by_variables(campaign, collective, run)).collect();
    for group in &mut groups {
        group.series.retain(|series| comm_sizes.contains(&series.ranks));
    }
    groups.retain(|group| !group.series.is_empty());
    groups
}

/// Returns the launch of the compositions of two levels, if there are any.
fn composed(campaign: &Campaign, collective: &str) -> Option<Group> {
    let names = composed::names(campaign, collective);
    let comm_sizes = composed::comm_sizes(campaign);
    let of_name = |name: &String| {
        let label = format!("{PREFIX}{name}");
        comm_sizes.iter().filter_map(move |&ranks| campaign.own_series_at(collective, &label, ranks))
    };
    let series: Vec<Series> = names.iter().flat_map(of_name).collect();
    let methods = names.iter().map(|name| format!("own:{name}")).collect();
    let file = TwoLevel::PREFIX.to_owned();
    (!series.is_empty()).then_some(Group { file, methods, forcing: Vec::new(), series })
}

/// Returns the words of `measure`. `index` counts the launches of a collective.
fn words(
    campaign: &Campaign,
    (collective, file): (&str, &str),
    index: usize,
    series: &[Series],
    methods: &str,
) -> Option<String> {
    let ranks: Vec<String> = campaign
        .comm_sizes
        .iter()
        .filter(|ranks| series.iter().any(|series| series.ranks == **ranks))
        .map(ToString::to_string)
        .collect();
    let smallest = series.iter().map(|series| series.smallest).min()?;
    Some(format!("{collective} {} {smallest} {} {} {methods}", quoted(file), index + 1, ranks.join(",")))
}
