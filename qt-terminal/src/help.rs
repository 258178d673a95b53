//! What `-h` shows: the common options. `--help` shows all.

use std::fmt::Write as _;

use clap::{Arg, Command};

/// The common options under a heading with many.
const COMMON: &[(&str, &[&str])] = &[
    ("Encoding", &["encoding", "max-depth", "budget"]),
    ("Reading", &["columns", "path", "collective", "time-unit"]),
    ("Map", &["baseline"]),
    ("Job", &[]),
];

/// Returns the command line whose commands, in groups, show their common options for `-h`, without the `rare` ones.
pub(crate) fn short(mut cli: Command, groups: &[(&str, usize)], rare: &[(&str, &[&str])]) -> Command {
    let names: Vec<String> = cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        cli = cli.mut_subcommand(&name, |command| command.mut_args(|option| shortened(&name, rare, option)));
    }
    let examples = COMPLETIONS.replace("NAME", cli.get_name());
    let page = page(&cli, groups);
    cli.mut_subcommand("completions", |command| command.after_help(examples)).help_template(page)
}

const COMPLETIONS: &str = "\
Examples:
  bash: NAME completions bash > ~/.local/share/bash-completion/completions/NAME
  zsh:  NAME completions zsh > ~/.zfunc/_NAME   (with fpath+=~/.zfunc before compinit)
  fish: NAME completions fish > ~/.config/fish/completions/NAME.fish";

/// Returns the template of the help page, with the commands in groups.
fn page(cli: &Command, groups: &[(&str, usize)]) -> String {
    let widest = cli.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut commands = cli.get_subcommands();
    let mut listed = String::new();
    for (group, count) in groups {
        let _ = write!(listed, "\n{group}:\n");
        for command in commands.by_ref().take(*count) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(listed, "  {:widest$}  {about}", command.get_name());
        }
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{listed}\nOptions:\n{{options}}{{after-help}}"
    )
}

fn shortened(command: &str, rare: &[(&str, &[&str])], option: Arg) -> Arg {
    let Some(name) = option.get_long().map(str::to_owned) else { return option };
    let common =
        option.get_help_heading().and_then(|heading| COMMON.iter().find(|(known, _)| *known == heading));
    let is_rare = rare.iter().any(|(known, rare)| *known == command && rare.contains(&&*name));
    let is_hidden = is_rare || common.is_some_and(|(_, common)| !common.contains(&&*name));
    if is_hidden { option.hide_short_help(true) } else { option }
}
