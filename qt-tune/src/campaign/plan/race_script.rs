//! Scripts of races, which measure in rounds until no method is left to measure.

use super::script::{deployed, failures, functions, loops, map_command, measure, quoted, verifications};
use super::{Campaign, DEFAULT};
use qtdec_mpi::catalogue::Segments;

/// Returns the command that writes the list of the next round.
pub fn next_command(campaign: &Campaign, rule: &str) -> String {
    let listed = |numbers: &[u64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let ppn = match &campaign.ranks_per_node[..] {
        [] => String::new(),
        numbers => format!(" --ppn {}", listed(numbers)),
    };
    let has_segments = |collective: &String| {
        campaign
            .library
            .algorithms(collective)
            .iter()
            .any(|method| method.algorithm.segments != Segments::Ignored)
    };
    let segments = campaign.collectives.iter().any(has_segments);
    let segments =
        if segments { format!(" --segments {}", listed(&campaign.segments)) } else { String::new() };
    format!(
        "qtdec plan --mpi {} --collective {} --np {} --launcher {} --benchmark {} --msg-size {}..{}{segments}{ppn} \
         --race {rule} --results {results} --next {results}",
        campaign.library.name(),
        campaign.collectives.join(","),
        listed(&campaign.comm_sizes),
        campaign.launcher.name(),
        campaign.benchmark.name(),
        campaign.least,
        campaign.greatest,
        results = quoted(&campaign.results),
    )
}

/// Returns the script for Bash. After `hours`, no further benchmark is started.
pub fn race_script(campaign: &Campaign, rule: &str, hours: Option<f64>) -> String {
    let largest = campaign.comm_sizes.last().copied().unwrap_or(1);
    let commands: Vec<String> = campaign
        .collectives
        .iter()
        .map(|collective| format!("#   {}\n", map_command(campaign, collective)))
        .collect();
    let commands = commands.concat();
    let mut programs: Vec<String> = campaign
        .collectives
        .iter()
        .map(|collective| format!("require {}\n", campaign.benchmark.program(collective)))
        .collect();
    programs.dedup();
    let ppn = match campaign.ranks_per_node[..] {
        [ppn] => format!("ppn={ppn}\n"),
        _ => String::new(),
    };
    let deadline = hours.map_or_else(String::new, |hours| {
        format!("deadline=$((SECONDS + {}))\n", (hours * 3600.0).round() as u64)
    });
    let over = hours.map_or("", |_| {
        "    if [ \"$SECONDS\" -ge \"$deadline\" ]; then echo \"the time limit is reached: start the script \
             again to continue\" >&2; exit 0; fi\n"
    });
    format!(
        "#!/usr/bin/env bash\n\
         {resources}\
         #\n\
         # Races the algorithms of {library} for {collectives}, with {benchmark}: each round leaves out the methods\n\
         # that have been much slower than the best. qtdec and the benchmark must be on the PATH.\n\
         # Written by qtdec {version}.\n\
         #\n\
         # It ends by itself. You can stop and restart it without losing measurements. Afterwards, run:\n\
         #\n\
         {commands}\
         #\n\
         {verifications}\
         \n\
         set -u\n\
         \n\
         results={results}\n\
         {ppn}\
         {deadline}\
         failed=()\n\
         {deployed}\
         \n\
         require() {{ command -v \"$1\" > /dev/null || {{ echo \"$1 is not on the PATH\" >&2; exit 1; }}; }}\n\
         if [ -z \"$deployed\" ]; then require qtdec; fi\n\
         {programs}\
         {functions}\
         \n\
         {measure}\
         \n\
         if [ -n \"$deployed\" ]; then\n\
         {loops}\
         {failures}\
         \x20 exit 0\n\
         fi\n\
         \n\
         mkdir -p \"$results\"\n\
         warm=no\n\
         while :; do\n\
         \x20 {next} -o \"$results/round\" || exit 1\n\
         \x20 if ! [ -s \"$results/round\" ]; then break; fi\n\
         \x20 # The launcher must not read the list.\n\
         \x20 while read -r -a fields <&3; do\n\
         {over}\
         \x20   collective=${{fields[0]}} method=${{fields[1]}} segment=${{fields[2]}} ranks=${{fields[3]}} run=${{fields[4]}}\n\
         \x20   least=${{fields[5]}} greatest=${{fields[6]}}\n\
         \x20   if [ \"$warm\" = no ]; then\n\
         \x20     # The first benchmark on a machine is slow, so its times are discarded.\n\
         \x20     run=warm-up measure \"$collective\" {DEFAULT} 0 \"$least\" 2> \"$results/warm-up\"\n\
         \x20     rm -f \"$results/warm-up\" \"$results/$collective/\"*_runwarm-up.txt\n\
         \x20     failed=()\n\
         \x20     warm=yes\n\
         \x20   fi\n\
         \x20   before=${{#failed[@]}}\n\
         \x20   measure \"$collective\" \"$method\" \"$segment\" \"$least\" \"${{fields[@]:7}}\"\n\
         \x20   if [ \"${{#failed[@]}}\" -gt \"$before\" ]; then\n\
         \x20     echo \"$collective $method $segment $ranks\" >> \"$results/failed\"\n\
         \x20   fi\n\
         \x20 done 3< \"$results/round\"\n\
         done\n\
         rm -f \"$results/round\"\n",
        resources = campaign.launcher.resources(largest, &campaign.ranks_per_node, &campaign.job),
        library = campaign.library.title(),
        collectives = campaign.collectives.join(", "),
        benchmark = campaign.benchmark.title(),
        version = env!("CARGO_PKG_VERSION"),
        results = quoted(&campaign.results),
        programs = programs.concat(),
        functions = functions(campaign),
        measure = measure(campaign, ""),
        verifications = verifications(campaign),
        deployed = deployed(&format!("  least={}\n  greatest={}\n", campaign.least, campaign.greatest)),
        loops = indented(&loops(campaign, false)),
        failures = indented(&failures("")),
        next = next_command(campaign, rule),
    )
}

fn indented(lines: &str) -> String {
    lines.lines().flat_map(|line| ["  ", line, "\n"]).collect()
}
