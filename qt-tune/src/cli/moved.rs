//! Options that moved, with what replaces them.

use std::ffi::OsString;

/// Options that commands had, and what to type instead.
pub(super) struct Moved {
    /// The commands that had them.
    pub(super) commands: &'static [&'static str],
    /// Lists of their names, without dashes.
    pub(super) options: &'static [&'static [&'static str]],
    /// What replaces them, as the end of the sentence "`--x` …".
    pub(super) instead: &'static str,
}

/// Every option that was removed. They are no options of the commands, so that help and completions do not know them.
pub(super) const MOVED: &[Moved] = &[
    Moved { commands: &["plan"], options: &[&["mpi"]], instead: "is now --library" },
    Moved {
        commands: &["plan"],
        options: &[&["race"]],
        instead: "is now the command qtdec race, with --rule factors or --rule halving",
    },
    Moved { commands: &["plan"], options: &[&["next", "hours"]], instead: "is now an option of qtdec race" },
    Moved { commands: &["plan"], options: &[&["replay"]], instead: "is now the command qtdec replay" },
    Moved {
        commands: &["plan"],
        options: &[&["baseline", "warm-up", "splits"]],
        instead: "is now an option of qtdec replay",
    },
    Moved {
        commands: &["plan"],
        options: &[&["columns", "path", "element-size", "basis"]],
        instead: "is an option of qtdec read, whose canonical times qtdec replay reads",
    },
    Moved {
        commands: &["sweep", "compare-encoders", "plot", "report"],
        options: &[READING_OPTIONS, &["format", "collective", "basis-in"]],
        instead: "is an option of qtdec read, which makes canonical times, and of qtdec map",
    },
    Moved {
        commands: &["sweep", "compare-encoders", "report"],
        options: &[MAP_OPTIONS],
        instead: "is an option of qtdec map: the map records it, and --times repeats it on parts of the times",
    },
    Moved {
        commands: &["plot", "decide", "emit"],
        options: &[MAP_OPTIONS],
        instead: "is an option of qtdec map, whose map this command reads",
    },
    Moved {
        commands: &["verify"],
        options: &[&[
            "statistic",
            "drop-first",
            "first",
            "drop-outliers",
            "no-default",
            "exclude",
            "requires",
            "tie-tolerance",
            "tie-test",
            "gaps",
            "grid",
        ]],
        instead: "is an option of qtdec map, and has no effect on the comparison of all repeats",
    },
    Moved {
        commands: &["decide", "verify"],
        options: &[READING_OPTIONS, &["basis-in"]],
        instead: "is an option of qtdec read, whose canonical times this command reads",
    },
    Moved {
        commands: &["emit"],
        options: &[READING_OPTIONS, &["format"]],
        instead: "is an option of qtdec map, whose map this command reads",
    },
    Moved {
        commands: &["verify"],
        options: &[&["format"]],
        instead: "is an option of qtdec read, whose canonical times this command reads",
    },
    Moved {
        commands: &["decide", "diff"],
        options: &[ENCODING_OPTIONS],
        instead: "is an option of qtdec encode, whose trees this command reads",
    },
    Moved {
        commands: &["compare"],
        options: &[ENCODING_OPTIONS],
        instead: "is an option of qtdec encode, whose trees --rules compares with the map",
    },
    Moved {
        commands: &["stats", "sweep"],
        options: &[&["without-dearest"]],
        instead: "is now --exclude-worst",
    },
];

/// The options that say how times are read, as far as all commands that read times had them.
const READING_OPTIONS: &[&str] =
    &["columns", "where", "repeat", "path", "fixed", "time-unit", "element-size", "basis", "ranks", "strict"];

/// The options that say how a map is made.
const MAP_OPTIONS: &[&str] = &[
    "statistic",
    "drop-first",
    "first",
    "drop-outliers",
    "baseline",
    "no-default",
    "exclude",
    "requires",
    "tie-tolerance",
    "tie-test",
    "gaps",
    "grid",
];

/// The options that say how a tree is made.
const ENCODING_OPTIONS: &[&str] = &[
    "encoding",
    "borders",
    "budget",
    "empty",
    "fallback",
    "max-depth",
    "threshold",
    "fill",
    "leaf",
    "collapse",
    "weight",
    "confidence",
    "constants",
    "objective",
    "lambda",
];

/// Returns what is wrong with words of a command line, if one of them is an option that moved; all are named.
pub(super) fn advice(words: impl Iterator<Item = OsString>) -> Option<String> {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let (command, rest) = words.split_first()?;
    let mut sentences: Vec<String> = Vec::new();
    for word in rest.iter().take_while(|word| *word != "--") {
        let Some(name) = word.strip_prefix("--") else { continue };
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        let sentence = instead(command, name).map(|instead| format!("`--{name}` {instead}"));
        sentences.extend(sentence.filter(|sentence| !sentences.contains(sentence)));
    }
    (!sentences.is_empty()).then(|| sentences.join("\n"))
}

/// Returns what replaces an option of a command, if it moved.
fn instead(command: &str, option: &str) -> Option<&'static str> {
    let of = |moved: &&Moved| {
        moved.commands.contains(&command) && moved.options.iter().any(|list| list.contains(&option))
    };
    MOVED.iter().find(of).map(|moved| moved.instead)
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;
    use clap::{CommandFactory, FromArgMatches};

    use super::super::Cli;
    use super::*;

    #[test]
    fn each_option_that_moved_says_what_to_type() {
        let cli = Cli::command();
        for Moved { commands, options, instead } in MOVED {
            let pairs = commands
                .iter()
                .flat_map(|command| options.iter().copied().flatten().map(move |option| (command, option)));
            for (command, option) in pairs {
                let words = ["qtdec".to_owned(), (*command).to_owned(), format!("--{option}")];
                let refused = cli.clone().try_get_matches_from(&words).unwrap_err();
                assert_eq!(refused.kind(), ErrorKind::UnknownArgument, "{words:?}");
                let said = advice(words[1..].iter().map(Into::into)).unwrap();
                assert_eq!(said, format!("`--{option}` {instead}"));
            }
        }
    }

    /// Every option and every command that a replacement names exists.
    #[test]
    fn replacements_exist() {
        let cli = Cli::command();
        let names = |text: &str| -> Vec<String> {
            text.split([' ', ',', ':']).map(str::to_owned).filter(|word| !word.is_empty()).collect()
        };
        for Moved { commands, options, instead } in MOVED {
            let words = names(instead);
            let named = words.iter().position(|word| word == "qtdec").map(|at| words[at + 1].as_str());
            for home in named.map_or_else(|| commands.to_vec(), |named| vec![named]) {
                let home = cli.find_subcommand(home).expect(instead);
                let of = |home: &clap::Command, option: &str| {
                    home.get_arguments().any(|known| known.get_long() == Some(option))
                };
                let has = |option: &str| of(home, option);
                let own = |option: &str| {
                    commands.iter().all(|command| of(cli.find_subcommand(command).unwrap(), option))
                };
                let named: Vec<&str> = words.iter().filter_map(|word| word.strip_prefix("--")).collect();
                assert!(named.iter().all(|option| has(option) || own(option)), "{instead}");
                let moves = instead.contains("an option of");
                assert!(
                    !moves || options.iter().copied().flatten().all(|option| has(option)),
                    "{options:?} {instead}"
                );
            }
        }
    }

    /// The command lines of the guide before options moved.
    const OLD_LINES: &str = include_str!("../../tests/old-lines.txt");

    #[test]
    fn old_command_lines_work_or_say_what_to_type() {
        let cli = Cli::command();
        let mut refused = Vec::new();
        for line in OLD_LINES.lines() {
            let words = shlex::split(line).expect(line);
            let parsed = cli.clone().try_get_matches_from(&words);
            if let Err(error) = parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
                assert!(error.use_stderr(), "{line}");
                let said =
                    advice(words[1..].iter().map(Into::into)).unwrap_or_else(|| panic!("{line}: {error}"));
                assert!(said.contains("is now") || said.contains("is an option of qtdec "), "{line}: {said}");
                refused.push(line);
            }
        }
        // The others are those of today's guide, or have options that are where they were.
        let options = ["--mpi", "--replay", "--element-size", "--columns", "--max-depth"];
        assert_eq!(refused.len(), 14, "{refused:#?}");
        assert!(
            refused.iter().all(|line| options.iter().any(|option| line.contains(option))),
            "{refused:#?}"
        );
    }

    #[test]
    fn values_are_no_options() {
        assert_eq!(advice(["map", "--columns", "x=y"].iter().map(Into::into)), None);
        assert_eq!(advice(["plan", "--", "--mpi"].iter().map(Into::into)), None);
    }
}
