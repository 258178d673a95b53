//! A launch for all numbers of ranks: of one method, or of all algorithms that the benchmark can switch.

use qtdec_mpi_run::abilities::FORCED;

use super::lines::variables;
use super::scheme::{Launch, Scheme, Series};
use super::template::quoted;
use super::{Campaign, Run};

/// A launch for all numbers of ranks.
pub(super) const GRIDS: Scheme = Scheme {
    measure: include_str!("script/measure_grid.sh"),
    reports: " 2>&1",
    any_job: ".csv",
    short: "comm_sizes=$ranks sizes=${sizes%%,*}",
    is_for_each_ranks: false,
    own,
    forced,
    launches,
};

/// The file of the algorithms that one launch measures.
const ALL: &str = "forced";

fn own(campaign: &Campaign, collective: &str, index: usize, method: &str) -> Option<String> {
    let series = own_series(campaign, collective, method);
    words(campaign, (collective, method), index, &series, &quoted(method))
}

fn forced(campaign: &Campaign, collective: &str, own: usize) -> Vec<String> {
    let groups = groups(campaign, collective).into_iter().enumerate();
    let line = |(index, (file, runs)): (usize, (String, Vec<Run>))| {
        let series = series(campaign, collective, &runs);
        let (methods, forcing) = match &runs[..] {
            [run] if file != ALL => (format!("{FORCED}{}", run.label()), campaign.forcing(collective, *run)),
            all => (all.iter().map(Run::label).collect::<Vec<_>>().join(","), Vec::new()),
        };
        let words = words(campaign, (collective, &file), own + index, &series, &methods)?;
        Some(format!("measure {words}{}", variables(campaign, &forcing)))
    };
    groups.filter_map(line).collect()
}

fn launches(campaign: &Campaign) -> Vec<Launch<'_>> {
    let mut launches = Vec::new();
    for collective in &campaign.collectives {
        let own = campaign.own_choices().map(|(name, _)| own_series(campaign, collective, name));
        let groups = groups(campaign, collective);
        let forced = groups.iter().map(|(_, runs)| series(campaign, collective, runs));
        let all = own.chain(forced).filter(|series| !series.is_empty());
        launches.extend(all.map(|series| Launch { collective, series }));
    }
    launches
}

/// Returns the methods that a launch forces, for each launch with the name of its file.
fn groups(campaign: &Campaign, collective: &str) -> Vec<(String, Vec<Run>)> {
    let runs = campaign.runs(collective);
    if campaign.benchmark.switches.is_some_and(|switches| switches(campaign.library.library, collective)) {
        return vec![(ALL.to_owned(), runs)];
    }
    let file = |run: &Run| match run.segment {
        0 => run.name(),
        segment => format!("{}_seg{segment}", run.name()),
    };
    runs.into_iter().map(|run| (file(&run), vec![run])).collect()
}

fn own_series(campaign: &Campaign, collective: &str, method: &str) -> Vec<Series> {
    campaign.comm_sizes.iter().filter_map(|&ranks| campaign.own_series(collective, method, ranks)).collect()
}

fn series(campaign: &Campaign, collective: &str, runs: &[Run]) -> Vec<Series> {
    let of_run = |run: &Run| {
        campaign
            .comm_sizes
            .iter()
            .filter_map(|&ranks| campaign.series(collective, *run, ranks))
            .collect::<Vec<_>>()
    };
    runs.iter().flat_map(of_run).collect()
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
