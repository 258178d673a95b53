//! What the script of the final measurement measures: the options of its command.

use std::collections::BTreeSet;

use qtdec_core::Domain;

use qtdec_mpi::campaign::measure::{BENCHMARKS, LIBRARIES, listed};
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::tuning::{self, Format};
use qtdec_study::measurements::Measurements;

/// Returns the name of the benchmark that made the times, if they state one that a job script runs.
pub(super) fn benchmark(every: &[Measurements]) -> Option<&'static str> {
    let mut tools = every.iter().filter_map(|times| times.about.get("tool"));
    tools.find_map(|tool| BENCHMARKS.iter().map(|known| known.name).find(|name| tool.starts_with(name)))
}

/// Returns the options of `qtdec-mpi measure` with which a script measures the deployed files by turns with the untouched library, at the
/// sizes of all these collectives, with a benchmark or the usual one, for a release if that is known. Returns `None` if no job script
/// measures the library.
pub(super) fn options(
    (format, release): (&Format, Option<Release>),
    domains: &[&Domain],
    benchmark: Option<&str>,
) -> Option<Vec<String>> {
    let library = LIBRARIES.iter().find(|library| library.library == format.library)?;
    let is_planned = |release: &Release| {
        tuning::find_format(library.name).is_some_and(|format| format.releases.contains(&release.series()))
    };
    let release = release.filter(is_planned);
    let known = library.collectives(release.unwrap_or(library.release));
    let domains =
        domains.iter().filter(|domain| domain.collective().is_some_and(|name| known.contains(&name)));
    let domains: Vec<&Domain> = domains.copied().collect();
    let ranks = sizes(&domains, "comm_size");
    let (names, ranks) = match (&domains[..], &ranks[..]) {
        ([], _) | (_, []) => return None,
        (domains, ranks) => {
            (domains.iter().filter_map(|domain| domain.collective()).collect::<Vec<_>>(), listed(ranks))
        }
    };
    let mut words = vec!["--library", library.name];
    let release = release.map(|release| release.series().to_string());
    words.extend(release.iter().flat_map(|release| ["--release", release]));
    let names = names.join(",");
    words.extend(["--collective", &names, "--np", &ranks]);
    let bytes = sizes(&domains, "msg_size");
    let power = |size: u64| size.max(1).checked_next_power_of_two().unwrap_or(1 << 63);
    let range = bytes.first().zip(bytes.last()).map(|(first, last)| {
        let first = if first.is_power_of_two() { *first } else { power(*first) / 2 };
        format!("{}..{}", first.max(1), power(*last))
    });
    words.extend(range.iter().flat_map(|range| ["--msg-size", range]));
    let ppn = listed(&sizes(&domains, "ppn"));
    if !ppn.is_empty() {
        words.extend(["--ppn", &ppn]);
    }
    words.extend(benchmark.iter().flat_map(|name| ["--benchmark", name]));
    Some(words.into_iter().map(str::to_owned).collect())
}

fn sizes(domains: &[&Domain], axis: &str) -> Vec<u64> {
    let axes = domains.iter().filter_map(|domain| domain.axes()[domain.find_axis(axis)?].values());
    axes.flatten().copied().collect::<BTreeSet<u64>>().into_iter().collect()
}
