//! The arguments of a benchmark's program: those of Cargo, and those that people know from other benchmarks.

use std::path::Path;

use qtdec_core::{Place, Problem};

/// What the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Measure,
    /// Call each method once.
    Try,
    List,
    Help,
}

/// The arguments of a program.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) task: Task,
    pub(crate) is_forced: bool,
    is_exact: bool,
    filters: Vec<String>,
    skipped: Vec<String>,
    /// Whether only tests that are usually left out are meant, which benchmarks are not.
    is_ignored: bool,
}

/// Options of other benchmarks and of tests that say nothing of what is measured.
const WITHOUT_EFFECT: [&str; 11] = [
    "--bench",
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--include-ignored",
    "--quiet",
    "-q",
    "--verbose",
    "-v",
    "--noplot",
    "-n",
];

/// Such options with a value.
const VALUES_WITHOUT_EFFECT: [&str; 6] =
    ["--color", "--format", "--output-format", "--test-threads", "--logfile", "-Z"];

impl Arguments {
    /// Parses what follows the program's name. Without `--bench`, which `cargo bench` adds, it is a test.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Problem> {
        let has = |name: &str| arguments.iter().any(|argument| argument == name);
        let is_bench = has("--bench");
        let task = if is_bench && !has("--test") { Task::Measure } else { Task::Try };
        let (filters, skipped) = (Vec::new(), Vec::new());
        let mut found = Self { task, is_forced: false, is_exact: false, filters, skipped, is_ignored: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--help" | "-h" => found.task = Task::Help,
                "--list" if found.task != Task::Help => found.task = Task::List,
                "--list" | "--test" => {}
                "--force" => found.is_forced = true,
                "--exact" => found.is_exact = true,
                "--ignored" => found.is_ignored = true,
                "--skip" => found.skipped.extend(arguments.next().cloned()),
                name if WITHOUT_EFFECT.contains(&name) => {}
                name if VALUES_WITHOUT_EFFECT.contains(&name) => {
                    arguments.next();
                }
                filter if !filter.starts_with('-') => found.filters.push(filter.to_owned()),
                option => {
                    let name = option.split('=').next().unwrap_or_default();
                    if is_bench && !VALUES_WITHOUT_EFFECT.contains(&name) {
                        let message = format!("nothing was measured: there is no option `{option}`");
                        let help = format!(
                            "`{}` lists the options; rounds and times are set in the program",
                            command("--help")
                        );
                        return Err(Problem::new(Place::File, message).help(help));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns whether a method at a point is meant, by its name.
    pub(crate) fn chooses(&self, name: &str) -> bool {
        let is_in = |text: &String| if self.is_exact { name == text } else { name.contains(text.as_str()) };
        !self.is_ignored
            && (self.filters.is_empty() || self.filters.iter().any(is_in))
            && !self.skipped.iter().any(is_in)
    }
}

/// Returns the command that gives an argument to this program alone: a package's library and its other benchmarks have other arguments.
pub(crate) fn command(argument: &str) -> String {
    let program = std::env::args().next().unwrap_or_default();
    format!("cargo bench --bench {} -- {argument}", target(&program))
}

/// Returns the name of the target whose program Cargo has built.
fn target(program: &str) -> &str {
    let stem = Path::new(program).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    stem.rsplit_once('-').filter(|(_, end)| is_hash(end)).map_or(stem, |(name, _)| name)
}

/// Returns the help page of a benchmark that writes this map.
pub(crate) fn help(map: &Path) -> String {
    format!(
        "Measures methods and writes {}\n\n\
         Usage: {}\n\n\
         Arguments:\n  \
           [FILTER]...  Measure only what has one of these texts in its name; if that is not everything, print the\n               \
                        times and write nothing\n\n\
         Options:\n      \
               --exact      Compare the filters with whole names\n      \
               --skip TEXT  Leave out what has this text in its name\n      \
               --list       List the names\n      \
               --test       Call the methods once, and write nothing\n      \
               --force      Write the map even if other programs disturbed the measurement\n  \
           -h, --help       Print this page\n",
        map.display(),
        command("[OPTIONS] [FILTER]..."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Arguments, Problem> {
        Arguments::parse(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn tasks() {
        for (arguments, task) in [
            (&["--bench"][..], Task::Measure),
            (&["--force", "--bench"], Task::Measure),
            (&["sort", "--noplot", "--color", "always", "--bench"], Task::Measure),
            (&["--test", "--bench"], Task::Try),
            (&[], Task::Try),
            (&["--nocapture", "--shuffle", "--test-threads", "1"], Task::Try),
            (&["--list", "--format", "terse"], Task::List),
            (&["--help", "--list", "--bench"], Task::Help),
            (&["--list", "-h", "--bench"], Task::Help),
        ] {
            assert_eq!(parsed(arguments).unwrap().task, task, "{arguments:?}");
        }
        let refused = parsed(&["--sample-size", "20", "--bench"]).unwrap_err().to_string();
        assert!(refused.contains("there is no option `--sample-size`"), "{refused}");
    }

    #[test]
    fn filters_choose_by_parts_of_names() {
        let chosen = |arguments: &[&str]| {
            let arguments = parsed(arguments).unwrap();
            ["sort/merge/len=1", "sort/merge/len=16", "sort/radix/len=16"].map(|name| arguments.chooses(name))
        };
        assert_eq!(chosen(&["--bench"]), [true; 3]);
        assert_eq!(chosen(&["merge", "--bench"]), [true, true, false]);
        assert_eq!(chosen(&["len=16", "--color", "always"]), [false, true, true]);
        assert_eq!(chosen(&["--exact", "sort/merge/len=1"]), [true, false, false]);
        assert_eq!(chosen(&["other", "radix", "--bench"]), [false, false, true]);
        assert_eq!(chosen(&["--skip", "radix", "--bench"]), [true, true, false]);
        assert_eq!(chosen(&["--ignored", "--list"]), [false; 3]);
    }

    #[test]
    fn targets_have_no_hash() {
        assert_eq!(target("/target/release/deps/sort-0123456789abcdef"), "sort");
        assert_eq!(target("target/release/deps/by-size-0123456789abcdef.exe"), "by-size");
        assert_eq!(target("by-size"), "by-size");
    }
}
