//! The number of options of every command, and the length of its help.

use std::fmt::Write as _;

use clap::Command;

use qtdec_terminal::program;

use crate::Cli;

/// Returns every command that runs, with the names on the way to it.
fn commands() -> Vec<(String, Command)> {
    fn below(prefix: &str, command: &Command, all: &mut Vec<(String, Command)>) {
        let own = command.get_subcommands().filter(|command| command.get_name() != "help");
        for command in own {
            let name = format!("{prefix}{}", command.get_name());
            below(&format!("{name} "), command, all);
            if !command.has_subcommands() {
                all.push((name, command.clone()));
            }
        }
    }
    let (mut cli, mut all) = (program::command::<Cli>().term_width(100), Vec::new());
    cli.build();
    below("", &cli, &mut all);
    all
}

/// Returns the options that the help of a command shows, without `--help`.
fn options(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|one| !one.is_positional() && !one.is_hide_set());
    let names =
        shown.filter_map(|one| one.get_long().map(str::to_owned).or(one.get_short().map(String::from)));
    names.filter(|name| name != "help").collect()
}

/// The most options of all commands of a program together.
const MOST_OPTIONS: usize = 160;

/// An option slot is one option of one command. `SNAPSHOTS=overwrite` records them again.
#[test]
fn option_slots_by_command() {
    let (mut text, mut all) = (String::new(), 0);
    for (name, command) in commands() {
        let options = options(&command);
        all += options.len();
        let _ = writeln!(text, "{:4}  {name}: {}", options.len(), options.join(" "));
    }
    let text = format!("{text}{all:4}  in all\n");
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slots.txt");
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(recorded, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(recorded).unwrap(), "record them with SNAPSHOTS=overwrite");
    assert!(all <= MOST_OPTIONS, "{all} options: remove one, or merge two");
}

/// The most lines of the help that `-h` prints.
const MOST_LINES: usize = 50;

#[test]
fn short_help_has_at_most_fifty_lines() {
    let lengths = commands()
        .into_iter()
        .map(|(name, mut command)| (command.render_help().to_string().lines().count(), name));
    let long: Vec<(usize, String)> = lengths.filter(|(lines, _)| *lines > MOST_LINES).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// The help of the whole program fits on a terminal of 80 columns and 40 lines.
#[test]
fn the_list_of_commands_fits_on_a_screen() {
    let help = program::command::<Cli>().term_width(100).render_help().to_string();
    let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert!(help.lines().count() <= 40, "{help}");
}

/// What the short help leaves out is in the long help.
#[test]
fn long_help_is_complete() {
    for (name, mut command) in commands() {
        let help = command.render_long_help().to_string();
        let missing: Vec<String> =
            options(&command).into_iter().filter(|option| !help.contains(&format!("--{option}"))).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}
