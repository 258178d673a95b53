//! The scripts. Their text is in `script/`; [`fill`] puts the values in.

use super::commands::{description, tune_command};
use super::lines::{benchmarks, guard};
use super::one_a_job::{Unit, one_a_job};
use super::template::{fill, quoted};
use super::{Campaign, Run};

/// Returns the script for Bash that measures everything.
pub fn script(campaign: &Campaign) -> String {
    let own = [
        ("switches", switches(campaign)),
        ("tune_command", format!("#   {}\n", tune_command(campaign))),
        ("benchmarks", campaign.starts_of_launch(false).to_string()),
        ("rotated", include_str!("script/rotated.sh").to_owned()),
        ("choose", choose(&benchmarks(campaign))),
        ("failures", failures()),
    ];
    write(include_str!("script/measure_all.sh"), (campaign, Unit::Launch, campaign.repeats), &own)
}

/// Returns a script with what all scripts have, and with its own values, for a number of jobs.
pub(super) fn write<const N: usize>(
    template: &str,
    (campaign, unit, jobs): (&Campaign, Unit, u64),
    own: &[(&str, String); N],
) -> String {
    let largest = campaign.comm_sizes.last().copied().unwrap_or(1);
    let each = |line: &dyn Fn(&str) -> String| -> String {
        let mut lines: Vec<String> = campaign.collectives.iter().map(|collective| line(collective)).collect();
        lines.dedup();
        lines.concat()
    };
    let shared = [
        ("resources", campaign.launcher.resources((largest, jobs), &campaign.ranks_per_node, &campaign.job)),
        ("collectives", campaign.collectives.join(", ")),
        ("library", campaign.title()),
        ("benchmark", campaign.benchmark.title.to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("one_a_job", commented(&one_a_job(campaign, unit))),
        ("results", quoted(&campaign.results)),
        ("launches", campaign.repeats.to_string()),
        ("describe", fill(include_str!("script/describe.sh"), &[("description", &description(campaign))])),
        ("state", include_str!("script/state.sh").to_owned()),
        ("jobs", fill(include_str!("script/jobs.sh"), &[("jobs_file", &quoted(&campaign.jobs_file()))])),
        ("least", campaign.least.to_string()),
        ("greatest", campaign.greatest.to_string()),
        ("programs", each(&|collective| format!("require {}\n", (campaign.benchmark.program)(collective)))),
        ("functions", functions(campaign)),
        ("measure", measure(campaign)),
    ];
    let values: Vec<(&str, &str)> = shared.iter().chain(own).map(|(name, value)| (*name, &**value)).collect();
    fill(template, &values)
}

/// Returns the lines that report the benchmarks that failed.
pub(super) fn failures() -> String {
    include_str!("script/failures.sh").to_owned()
}

/// Returns the lines that choose the launches of a job, and measure them.
pub(super) fn choose(lines: &str) -> String {
    fill(include_str!("script/choose.sh"), &[("benchmark_lines", lines)])
}

/// Returns the functions that test a number of ranks, as far as they are needed, and that of the benchmark.
fn functions(campaign: &Campaign) -> String {
    let runs: Vec<Run> =
        campaign.collectives.iter().flat_map(|collective| campaign.runs(collective)).collect();
    let known = [
        ("is_power_of_two", include_str!("script/is_power_of_two.sh")),
        ("is_even", include_str!("script/is_even.sh")),
        ("is_two", include_str!("script/is_two.sh")),
    ];
    let is_called = |name: &str| {
        runs.iter().any(|run| run.method.algorithm.needs.iter().any(|need| guard(*need) == Some(name)))
    };
    let called = known.iter().filter(|(name, _)| !campaign.benchmark.measures_grids() && is_called(name));
    called.map(|(_, text)| *text).chain([campaign.benchmark.functions]).collect()
}

/// Returns the functions that run a benchmark once.
fn measure(campaign: &Campaign) -> String {
    let ppn = if campaign.ranks_per_node.len() > 1 { "_ppn${ppn}" } else { "" };
    let has_ppn = !campaign.ranks_per_node.is_empty();
    let launch = launch(campaign, has_ppn);
    let whole_nodes = if has_ppn { include_str!("script/whole_nodes.sh") } else { "" };
    let replaced = campaign.library.replaced;
    let forced = replaced.map(|text| format!(" && ! grep -q {} \"$unfinished\"", quoted(text)));
    let forced = forced.as_deref().unwrap_or_default();
    // What the benchmark reports besides its output, the end of the paths of a launch's results, whatever job measured them, and the
    // settings with which a benchmark is short.
    let (template, reports, any, short) = if campaign.benchmark.measures_grids() {
        let short = "comm_sizes=${comm_sizes##*,} sizes=${sizes%%,*}";
        (include_str!("script/measure_grid.sh"), " 2>&1", ".csv", short)
    } else {
        (include_str!("script/measure.sh"), "", "_job*.txt", "greatest=$from")
    };
    let values = [
        ("ppn", ppn),
        ("launch", &launch),
        ("any", any),
        ("short", short),
        ("reports", reports),
        ("forced", forced),
        ("whole_nodes", whole_nodes),
    ];
    let measure = [template, include_str!("script/launch.sh")].concat();
    [include_str!("script/progress.sh"), "\n", &fill(&measure, &values)].concat()
}

/// Returns the words that start the ranks of a benchmark.
fn launch(campaign: &Campaign, has_ppn: bool) -> String {
    let command = campaign.launcher.command(campaign.library, has_ppn);
    campaign.launcher_arguments.iter().fold(command, |command, word| format!("{command} {}", quoted(word)))
}

/// Returns the lines that set the library's switches, if it has any.
fn switches(campaign: &Campaign) -> String {
    match campaign.switches() {
        switches if switches.is_empty() => String::new(),
        switches => fill(include_str!("script/switches.sh"), &[("switches", &switches.join(" "))]) + "\n",
    }
}

fn commented(lines: &str) -> String {
    format!("# {}\n", lines.replace('\n', "\n# "))
}
