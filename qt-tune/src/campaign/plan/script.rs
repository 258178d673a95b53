//! The script, and the commands that read its results.

use std::fmt::Write as _;

use qtdec_mpi::catalogue::Need;

use super::{Campaign, DEFAULT, Run, Smallest};

/// Returns the command that creates a map from the results of a collective.
pub fn map_command(campaign: &Campaign, collective: &str) -> String {
    let mut command = format!("qtdec map {}/{collective}", quoted(&campaign.results));
    let _ = write!(command, " --path '{}' --baseline {DEFAULT}", campaign.path());
    for run in campaign.runs(collective) {
        for requirement in run.method.algorithm.needs.iter().filter_map(|need| need.requirement()) {
            let method = match run.segment {
                0 => run.method.name.to_owned(),
                segment => format!("{}/{segment}", run.method.name),
            };
            let _ = write!(command, " --requires '{method}={requirement}'");
        }
    }
    let _ = write!(command, " -o {collective}.json");
    command
}

/// Returns the comment that explains how to check whether the library follows a tuning file, with the command for each collective.
pub(super) fn verifications(campaign: &Campaign) -> String {
    let mut lines = format!(
        "# To check whether the library follows a tuning file, pass its switches to the script: `{start} tuned/switches.sh`.\n\
         # It then measures only the library's own choice, with these settings, into {deployed}. Afterwards, run:\n\
         #\n",
        start = campaign.launcher.submission(),
        deployed = quoted(&campaign.deployed_results()),
    );
    for collective in &campaign.collectives {
        let _ = writeln!(lines, "#   {}", verify_command(campaign, collective));
    }
    lines
}

/// Returns the lines that make the settings in the file that the script is started with, before `more` lines.
pub(super) fn deployed(more: &str) -> String {
    format!(
        "deployed=${{1:-}}\n\
         if [ -n \"$deployed\" ]; then\n\
         \x20 # shellcheck source=/dev/null\n\
         \x20 . \"$deployed\" || exit 1\n\
         \x20 results=$results-deployed\n\
         {more}\
         fi\n"
    )
}

/// Returns the lines that report the benchmarks that failed, with a remark.
pub(super) fn failures(remark: &str) -> String {
    format!(
        "if [ \"${{#failed[@]}}\" -gt 0 ]; then\n\
         \x20 echo \"${{#failed[@]}} benchmarks failed{remark}:\" >&2\n\
         \x20 for file in \"${{failed[@]}}\"; do echo \"  $file\" >&2; done\n\
         \x20 exit 1\n\
         fi\n"
    )
}

/// Returns the command that checks whether the library follows a collective's tuning file, given measurements made with it.
pub fn verify_command(campaign: &Campaign, collective: &str) -> String {
    format!(
        "qtdec verify {}/{collective} {}/{collective} --path '{}' --baseline {DEFAULT} --deployed tuned/{collective}.tree.json",
        quoted(&campaign.results),
        quoted(&campaign.deployed_results()),
        campaign.path(),
    )
}

/// Returns the script for Bash.
pub fn script(campaign: &Campaign) -> String {
    let largest = campaign.comm_sizes.last().copied().unwrap_or(1);
    let commands: Vec<String> = campaign
        .collectives
        .iter()
        .map(|collective| format!("#   {}\n", map_command(campaign, collective)))
        .collect();
    let mut programs: Vec<String> = campaign
        .collectives
        .iter()
        .map(|collective| format!("require {}\n", campaign.benchmark.program(collective)))
        .collect();
    programs.dedup();
    format!(
        "#!/usr/bin/env bash\n\
         {resources}\
         #\n\
         # Measures {collectives} with every algorithm of {library}, using {benchmark}, which must be on the PATH.\n\
         # Written by qtdec {version}.\n\
         #\n\
         # You can stop and restart it without losing measurements. Afterwards, run:\n\
         #\n\
         {commands}\
         #\n\
         {verifications}\
         \n\
         set -u\n\
         \n\
         results={results}\n\
         {deployed}\
         least={least}\n\
         greatest={greatest}\n\
         failed=()\n\
         \n\
         require() {{ command -v \"$1\" > /dev/null || {{ echo \"$1 is not on the PATH\" >&2; exit 1; }}; }}\n\
         {programs}\
         \n\
         # These settings keep other parts of the library from serving the calls.\n\
         forced=({switches})\n\
         {functions}\
         \n\
         {measure}\
         \n\
         {loops}\
         \n\
         {failures}",
        resources = campaign.launcher.resources(largest, &campaign.ranks_per_node, &campaign.job),
        collectives = campaign.collectives.join(", "),
        library = campaign.library.title(),
        benchmark = campaign.benchmark.title(),
        version = env!("CARGO_PKG_VERSION"),
        commands = commands.concat(),
        verifications = verifications(campaign),
        deployed = deployed(""),
        results = quoted(&campaign.results),
        least = campaign.least,
        greatest = campaign.greatest,
        programs = programs.concat(),
        switches = campaign.library.switches().join(" "),
        functions = functions(campaign),
        // With a tuning file, no algorithm is forced.
        measure = measure(
            campaign,
            &format!("  if [ -n \"$deployed\" ] && [ \"$method\" != {DEFAULT} ]; then return; fi\n"),
        ),
        loops = loops(campaign, true),
        failures = failures("; remove methods that never ran from --requires"),
    )
}

/// Returns the functions that test a number of ranks, as far as they are needed.
pub(super) fn functions(campaign: &Campaign) -> String {
    let runs: Vec<Run> =
        campaign.collectives.iter().flat_map(|collective| campaign.runs(collective)).collect();
    let known = [
        ("is_power_of_two", "is_power_of_two() { [ \"$1\" -gt 0 ] && [ \"$(($1 & ($1 - 1)))\" -eq 0 ]; }\n"),
        ("is_even", "is_even() { [ \"$(($1 % 2))\" -eq 0 ]; }\n"),
        ("is_two", "is_two() { [ \"$1\" -eq 2 ]; }\n"),
    ];
    let called = known.iter().filter(|(name, _)| {
        runs.iter().any(|run| run.method.algorithm.needs.iter().any(|need| guard(*need) == Some(name)))
    });
    let called: String = called.map(|(_, text)| *text).collect();
    let functions = called + campaign.benchmark.functions();
    if functions.is_empty() { functions } else { format!("\n{functions}") }
}

/// Returns the function that runs a benchmark once, unless a `guard` in its first lines returns.
pub(super) fn measure(campaign: &Campaign, guard: &str) -> String {
    let has_ppn = !campaign.ranks_per_node.is_empty();
    let ppn = if campaign.ranks_per_node.len() > 1 { "_ppn${ppn}" } else { "" };
    format!(
        "# measure COLLECTIVE METHOD SEGMENT SMALLEST [NAME=VALUE…]: with messages from SMALLEST bytes on.\n\
         measure() {{\n\
         \x20 local collective=$1 method=$2 segment=$3 smallest=$4 from=$least\n\
         \x20 shift 4\n\
         {guard}\
         \x20 while [ \"$from\" -lt \"$smallest\" ]; do from=$((2 * from)); done\n\
         \x20 local file=\"$results/$collective/${{method}}_seg${{segment}}{ppn}_np${{ranks}}_run${{run}}.txt\"\n\
         \x20 if [ -e \"$file\" ] || [ \"$from\" -gt \"$greatest\" ]; then return; fi\n\
         \x20 mkdir -p \"$results/$collective\"\n\
         {command}\
         \x20 echo \"$file\" >&2\n\
         \x20 if env \"$@\" {launch} \"${{command[@]}}\" > \"$results/unfinished\"; then\n\
         \x20   mv \"$results/unfinished\" \"$file\"\n\
         \x20 else\n\
         \x20   rm -f \"$results/unfinished\"\n\
         \x20   failed+=(\"$file\")\n\
         \x20 fi\n\
         }}\n",
        command = campaign.benchmark.command(),
        launch = launch(campaign, has_ppn),
    )
}

/// Returns the words that start the ranks of a benchmark.
fn launch(campaign: &Campaign, has_ppn: bool) -> String {
    let command = campaign.launcher.command(campaign.library.name(), has_ppn).to_owned();
    campaign.launcher_arguments.iter().fold(command, |command, word| format!("{command} {}", quoted(word)))
}

/// Returns loops over every run of the default, and of every other method if they are `forced`. The runs are outermost, so that a temporary disturbance affects one run of
/// all methods rather than all runs of one.
pub(super) fn loops(campaign: &Campaign, forced: bool) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let runs: Vec<u64> = (1..=campaign.repeats).collect();
    for (name, values) in [("run", &runs), ("ppn", &campaign.ranks_per_node), ("ranks", &campaign.comm_sizes)]
    {
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
    let indent = "  ".repeat(depth);
    for collective in &campaign.collectives {
        let _ = writeln!(
            text,
            "{indent}measure {collective} {DEFAULT} 0 {}",
            expression(campaign.smallest_of_all(collective))
        );
        for run in campaign.runs(collective).into_iter().filter(|_| forced) {
            let _ = writeln!(text, "{indent}{}", line(campaign, collective, run));
        }
    }
    for depth in (0..depth).rev() {
        let _ = writeln!(text, "{}done", "  ".repeat(depth));
    }
    text
}

fn line(campaign: &Campaign, collective: &str, run: Run) -> String {
    let guards = run.method.algorithm.needs.iter().filter_map(|need| guard(*need));
    let guards: Vec<String> = guards.map(|guard| format!("{guard} \"$ranks\" && ")).collect();
    let variables = campaign.library.force(collective, run.method.algorithm, run.segment).join(" ");
    let smallest = expression(campaign.smallest(collective, run));
    format!(
        "{}measure {collective} {} {} {smallest} \"${{forced[@]}}\" {variables}",
        guards.concat(),
        run.method.name,
        run.segment
    )
}

/// Returns the function that checks whether a number of ranks meets a need.
fn guard(need: Need) -> Option<&'static str> {
    match need {
        Need::PowerOfTwo => Some("is_power_of_two"),
        Need::Even => Some("is_even"),
        Need::TwoRanks => Some("is_two"),
        Need::CountAtLeastCommSize | Need::Commutative => None,
    }
}

fn expression(smallest: Smallest) -> String {
    match smallest.per_rank {
        0 => smallest.fixed.to_string(),
        1 => "\"$ranks\"".to_owned(),
        bytes => format!("\"$(({bytes} * ranks))\""),
    }
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
