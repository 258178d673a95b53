//! The scripts, and the commands that read their results. Their text is in `script/`; [`fill`] puts the values in.

use std::fmt::Write as _;

use qtdec_mpi_library::catalogue::Segments;

use super::lines::{benchmarks, guard};
use super::one_a_job::{Unit, one_a_job};
use super::template::fill;
use super::{Campaign, DEFAULT, Run};
use qtdec_terminal::advice::Advice;

/// Returns the command that creates a map from the results of a collective, without the methods that no file can choose.
pub fn map_command(campaign: &Campaign, collective: &str) -> String {
    let mut command = format!("qtdec map {}/{collective}", quoted(&campaign.results));
    let _ = write!(command, "{} --baseline {DEFAULT}", reading(campaign));
    for method in campaign.excluded() {
        let _ = write!(command, " --exclude {method}");
    }
    for run in campaign.runs(collective) {
        for requirement in run.method.algorithm.needs.iter().filter_map(|need| need.requirement()) {
            let _ = write!(command, " --requires '{}={requirement}'", run.label());
        }
    }
    let _ = write!(command, " -o {collective}.json");
    command
}

/// Returns the command that tunes the library with the results, and what a job does with several files. It names no baseline: which of
/// the library's own choices stands for what a deployment replaces depends on the files that are written.
pub fn tune_command(campaign: &Campaign) -> String {
    let results = quoted(&campaign.results);
    let is_read = campaign.path().is_some();
    match &campaign.comm_sizes[..] {
        sizes @ [_, _, ..] if campaign.library.is_tuned_by_ranks() => {
            let of_ranks = if is_read {
                read_and_tune(campaign, "-$ranks", "/*_np\"$ranks\"_*.txt")
            } else {
                let read = format!("qtdec read {results} --where comm_size=$ranks -o times-$ranks.csv");
                format!("{read} && {}", tune(campaign, "times-$ranks.csv"))
            };
            let ranks = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            format!(
                "for ranks in {ranks}; do {of_ranks} -o tuned-$ranks; done\n\
                 and let a job take the file of its number of ranks with\n. \"tuned-${{SLURM_NTASKS:?}}/switches.sh\" || exit 1"
            )
        }
        _ => {
            let command = if is_read { read_and_tune(campaign, "", "") } else { tune(campaign, &results) };
            format!("{command} -o tuned")
        }
    }
}

/// Returns the command that tunes the library with the results, after those that read them. The collectives of one file of times have
/// the same axes, so a barrier has its own. `files` is the end of the paths that are
/// read in the folder of a collective, empty for all.
fn read_and_tune(campaign: &Campaign, suffix: &str, files: &str) -> String {
    let results = quoted(&campaign.results);
    let folder = |collective: &String| format!("{results}/{collective}");
    let folders = |all: Vec<&String>| all.into_iter().map(folder).collect::<Vec<_>>();
    let (barriers, others) = campaign.collectives.iter().partition(|collective| *collective == "barrier");
    let groups: Vec<(&str, Vec<String>)> = match (folders(barriers), folders(others)) {
        (barriers, others) if !barriers.is_empty() && !others.is_empty() => {
            vec![("times", others), ("barrier", barriers)]
        }
        _ if files.is_empty() => vec![("times", vec![results.clone()])],
        _ => vec![("times", vec![format!("{results}/*")])],
    };
    let (mut reads, mut times) = (String::new(), Vec::new());
    for (stem, folders) in groups {
        let file = format!("{stem}{suffix}.csv");
        let read = folders.iter().map(|folder| format!("{folder}{files}")).collect::<Vec<_>>().join(" ");
        let _ = write!(reads, "qtdec read {read}{} -o {file} && ", reading(campaign));
        times.push(file);
    }
    format!("{reads}{}", tune(campaign, &times.join(" ")))
}

/// Returns the command that tunes the library with times.
fn tune(campaign: &Campaign, times: &str) -> String {
    let into = campaign.library.complete_file().map(|file| format!(" --into {file}"));
    format!(
        "qtdec-mpi tune {times} --library {}{}{}",
        campaign.library.name(),
        release(campaign),
        into.unwrap_or_default()
    )
}

/// Returns the command that reads the results of a collective in a folder.
pub(super) fn read_command(campaign: &Campaign, results: &str, collective: &str, times: &str) -> String {
    format!("qtdec read {}/{collective}{} -o {times}", quoted(results), reading(campaign))
}

/// Returns the options that read the results.
fn reading(campaign: &Campaign) -> String {
    campaign.path().map(|path| format!(" --path '{path}'")).unwrap_or_default()
}

/// Returns the option that names the release, if the script is for one.
fn release(campaign: &Campaign) -> String {
    campaign.release.map(|release| format!(" --release {release}")).unwrap_or_default()
}

/// Returns the commands that check whether the library follows a collective's tuning file, given measurements made with it.
pub fn verify_command(campaign: &Campaign, collective: &str) -> String {
    let [before, after] = ["before", "after"].map(|side| format!("{collective}-{side}.csv"));
    let tree = format!("tuned/{collective}.tree.json");
    [
        read_command(campaign, &campaign.results, collective, &before),
        read_command(campaign, &campaign.deployed_results(), collective, &after),
        Advice::to_verify(&[&before, &after], None, None, &tree).line(),
    ]
    .join(" && ")
}

/// Returns the command that writes the list of the next round.
pub fn next_command(campaign: &Campaign, rule: &str) -> String {
    let listed = |numbers: &[u64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let ppn = match &campaign.ranks_per_node[..] {
        [] => String::new(),
        numbers => format!(" --ppn {}", listed(numbers)),
    };
    let has_segments = |collective: &String| {
        let methods = campaign.algorithms(collective);
        methods.iter().any(|method| method.algorithm.segments != Segments::Ignored)
    };
    let segments = campaign.collectives.iter().any(has_segments);
    let segments =
        if segments { format!(" --segments {}", listed(&campaign.segments)) } else { String::new() };
    format!(
        "qtdec-mpi race --library {}{} --collective {} --np {} --launcher {} --benchmark {} --msg-size {}..{}{segments}{ppn} \
         --rule {rule} --results {results} --next {results}",
        campaign.library.name(),
        release(campaign),
        campaign.collectives.join(","),
        listed(&campaign.comm_sizes),
        campaign.launcher.word(),
        campaign.benchmark.name(),
        campaign.least,
        campaign.greatest,
        results = quoted(&campaign.results),
    )
}

/// Returns the script for Bash that measures everything.
pub fn script(campaign: &Campaign) -> String {
    let own = [
        ("switches", switches(campaign)),
        ("map_commands", map_commands(campaign)),
        ("benchmarks", campaign.starts_of_launch(false).to_string()),
        ("rotated", include_str!("script/rotated.sh").to_owned()),
        ("choose", choose(&benchmarks(campaign, true))),
        ("failures", failures("; remove methods that never ran from --requires")),
    ];
    write(include_str!("script/measure_all.sh"), (campaign, Unit::Launch, campaign.repeats), &own)
}

/// Returns the script for Bash that measures in rounds, until no method is left to measure, which is after this number of them at the
/// latest. After `hours`, a job starts no further benchmark.
pub fn race_script(campaign: &Campaign, (rule, rounds): (&str, u64), hours: Option<f64>) -> String {
    let ppn = match campaign.ranks_per_node[..] {
        [ppn] => format!("ppn={ppn}\n"),
        _ => String::new(),
    };
    let own = [
        ("ppn", ppn),
        ("seconds", hours.map(|hours| ((hours * 3600.0).round() as u64).to_string()).unwrap_or_default()),
        ("next_command", next_command(campaign, rule)),
        ("map_commands", map_commands(campaign)),
        ("choose", choose(&benchmarks(campaign, false))),
        ("failures", failures("")),
    ];
    write(include_str!("script/race.sh"), (campaign, Unit::Round, rounds), &own)
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
        ("benchmark", campaign.benchmark.title().to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("verify", verifications(campaign)),
        ("one_a_job", commented(&one_a_job(campaign, unit))),
        ("results", quoted(&campaign.results)),
        ("launches", campaign.repeats.to_string()),
        ("state", include_str!("script/state.sh").to_owned()),
        ("jobs", fill(include_str!("script/jobs.sh"), &[("jobs_file", &quoted(&campaign.jobs_file()))])),
        ("deployed", deployed(campaign)),
        ("least", campaign.least.to_string()),
        ("greatest", campaign.greatest.to_string()),
        ("programs", each(&|collective| format!("require {}\n", campaign.benchmark.program(collective)))),
        ("functions", functions(campaign)),
        ("measure", measure(campaign)),
    ];
    let values: Vec<(&str, &str)> = shared.iter().chain(own).map(|(name, value)| (*name, &**value)).collect();
    fill(template, &values)
}

/// Returns the comment with the command that creates the map of each collective, and the one that tunes the library.
fn map_commands(campaign: &Campaign) -> String {
    let maps = campaign.collectives.iter().map(|collective| map_command(campaign, collective));
    let comment = |command: String| format!("#   {}\n", command.replace('\n', "\n#   "));
    let tune = format!("#\n# or, for all at once:\n#\n{}", comment(tune_command(campaign)));
    maps.map(comment).chain([tune]).collect()
}

/// Returns the comment that explains how to check whether the library follows a tuning file, with the command for each collective.
fn verifications(campaign: &Campaign) -> String {
    let commands = campaign.collectives.iter();
    let commands: Vec<String> =
        commands.map(|collective| format!("#   {}\n", verify_command(campaign, collective))).collect();
    let commands = commands.concat();
    fill(
        include_str!("script/verify.sh"),
        &[
            ("submission", campaign.launcher.submission()),
            ("deployed_results", &quoted(&campaign.deployed_results())),
            ("verify_commands", &commands),
        ],
    )
}

/// Returns the lines that report the benchmarks that failed, with a remark.
pub(super) fn failures(remark: &str) -> String {
    fill(include_str!("script/failures.sh"), &[("remark", remark)])
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
    called.map(|(_, text)| *text).chain([campaign.benchmark.functions()]).collect()
}

/// Returns the lines that measure with a deployment, if the script is started with one.
fn deployed(campaign: &Campaign) -> String {
    let benchmarks = campaign.starts_of_launch(true).to_string();
    fill(include_str!("script/deployed.sh"), &[("deployed_benchmarks", &benchmarks)])
}

/// Returns the functions that run a benchmark once.
fn measure(campaign: &Campaign) -> String {
    let ppn = if campaign.ranks_per_node.len() > 1 { "_ppn${ppn}" } else { "" };
    let launch = launch(campaign, !campaign.ranks_per_node.is_empty());
    let replaced = campaign.library.replaced();
    let forced = replaced.map(|text| format!(" && ! grep -q {} \"$unfinished\"", quoted(text)));
    let forced = forced.as_deref().unwrap_or_default();
    let scheme = campaign.scheme();
    let (any, short, reports) = (scheme.any_job(), scheme.short(), scheme.reports());
    let values = [
        ("ppn", ppn),
        ("launch", &launch),
        ("any", any),
        ("short", short),
        ("reports", reports),
        ("forced", forced),
    ];
    let measure = [campaign.scheme().measure(), include_str!("script/launch.sh")].concat();
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

/// Returns lines as comments.
fn commented(lines: &str) -> String {
    format!("# {}\n", lines.replace('\n', "\n# "))
}

/// Quotes a word for a shell.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
