//! What `-h` shows: the common options. `--help` shows all.

use clap::{Arg, Command, CommandFactory};

use super::Cli;

/// The common options under a heading with many.
const COMMON: &[(&str, &[&str])] = &[
    ("Encoding", &["encoding", "max-depth", "budget"]),
    ("Reading", &["columns", "path", "collective", "time-unit"]),
    ("Map", &["baseline"]),
    ("Tuning files", &["into"]),
    ("Job", &[]),
];

/// Options of single commands that few need.
const RARE: &[(&str, &[&str])] = &[
    ("plan", &["launcher-args", "segments", "results", "ppn", "points"]),
    ("race", &["launcher-args", "segments", "results", "ppn", "repeats", "next"]),
    ("tune", &["fail-if-nothing", "release", "force", "max-leaves", "profile"]),
    ("map", &["hold-out", "held-out", "price", "seed"]),
    ("model", &["draws", "every-segment", "digits", "correct", "points", "noise", "seed", "threads"]),
    ("predict", &["noise", "seed", "threads", "points", "draws"]),
    (
        "sweep",
        &["price", "seed", "splits", "unpriced", "without", "exclude-worst", "all-columns", "markdown"],
    ),
    ("compare-encoders", &["price", "seed", "unpriced"]),
    ("stats", &["unpriced", "without", "exclude-worst"]),
    ("compare", &["method", "non-commutative", "element-size", "time"]),
    ("plot", &["bands", "at"]),
    ("emit", &["true-label", "basis-in", "parameter-type", "returns", "enum-items"]),
    ("decide", &["ranks-per-node", "release", "format"]),
    ("schedule", &["radix", "chains", "clusters", "within", "ranks-per-node", "figure"]),
];

/// Returns the command line, whose commands show their common options for `-h`.
pub(super) fn cli() -> Command {
    let mut cli = Cli::command();
    let names: Vec<String> = cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        cli = cli.mut_subcommand(&name, |command| command.mut_args(|option| shortened(&name, option)));
    }
    cli
}

fn shortened(command: &str, option: Arg) -> Arg {
    let Some(name) = option.get_long().map(str::to_owned) else { return option };
    let common =
        option.get_help_heading().and_then(|heading| COMMON.iter().find(|(known, _)| *known == heading));
    let is_rare = RARE.iter().any(|(known, rare)| *known == command && rare.contains(&&*name));
    let is_hidden = is_rare || common.is_some_and(|(_, common)| !common.contains(&&*name));
    if is_hidden { option.hide_short_help(true) } else { option }
}
