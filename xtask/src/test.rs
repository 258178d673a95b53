//! The complete set of checks and tests.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;

use crate::bench::gate;
use crate::interrupted::{Arguments as Interrupted, interrupted};
use crate::outcome::Outcome;
use crate::packages::Machine;
use crate::run::{cargo, root, target};
use crate::{api, engines, msrv, publish, rooms, weka};

/// The version of Rust whose compiler errors are recorded under `tests/ui`.
const UI_TEXTS_OF: &str = "1.95.0";

/// A small number of interruptions; `cargo xtask interrupted` has more.
const INTERRUPTED: Interrupted = Interrupted { kills: 40, full_disks: 8 };

/// The variable that seeds the random inputs of property tests. With a fixed seed, a result depends on the commit alone; without
/// one, as under `cargo test`, every run draws new inputs.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The programs that show how the crates are used, with their folders in the build folder.
const EXAMPLES: [(&str, &str); 6] = [
    ("examples", "quickstart"),
    ("examples", "beside_rules"),
    ("", "qtdec-example-build-script"),
    ("", "qtdec-example-general"),
    ("", "sort"),
    ("", "threads"),
];

/// The results of all tests.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

/// The thoroughness of the tests.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    machine: Machine,

    /// Fail if a step could not be run
    #[arg(long)]
    deny_skips: bool,
}

pub(crate) fn test(arguments: Arguments) -> Result<(), String> {
    let machine = arguments.machine;
    let mut skipped = Vec::new();
    let mut failed = Vec::new();
    let mut counts = Counts::default();
    let mut step = |name: &str, command: &mut Command| {
        println!("\n── {name}");
        let start = Instant::now();
        if !run(command, &mut counts) {
            failed.push(name.to_owned());
        }
        println!("({} s)", start.elapsed().as_secs());
    };

    // Steps with `--workspace` share what is compiled: with other packages, dependencies may have other features.
    step("format", &mut cargo(["fmt", "--all", "--check"]));
    step("lints", &mut cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]));
    step("tests", cargo(["test", "--workspace", "--no-fail-fast"]).env(SEED, "1"));
    match machine.cargo_of(UI_TEXTS_OF) {
        Ok(mut cargo) => {
            cargo.args(["test", "--workspace", "--test", "ui", "--", "--ignored"]).current_dir(root());
            // The texts contain the folder in which Cargo builds.
            step("compiler errors", cargo.env("CARGO_TARGET_DIR", root().join("target")));
        }
        Err(reason) => {
            skipped.push(format!("compiler errors, which are recorded for one version of Rust ({reason})"));
        }
    }
    match machine.command("chromium", &["chromium"]) {
        Ok(()) => step("browser", &mut cargo(["test", "--workspace", "--test", "report", "--", "--ignored"])),
        Err(reason) => skipped.push(format!("the page of a report in a browser ({reason})")),
    }
    match weka::class_path(machine) {
        Ok(class_path) => {
            let mut ask = cargo(["test", "--workspace", "--test", "c45", "--", "--ignored"]);
            step("C4.5 against Weka's J48", ask.env("WEKA", class_path));
        }
        Err(reason) => {
            skipped.push(format!("C4.5 against Weka's J48; its stored trees were used ({reason})"));
        }
    }
    // Tests what a user with optimised proc-macros runs, and the encoders compiled that way; nothing else is rebuilt.
    // Since the code is faster, another seed costs little.
    step("optimised encoders", optimised_encoders().env(SEED, "2"));
    step("optimised macros", &mut optimised_macros());
    step("documentation", cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"));
    step("examples", &mut cargo(["build", "--workspace", "--examples", "--bins"]));
    for (folder, example) in EXAMPLES {
        let mut run = Command::new(target().join("debug").join(folder).join(example));
        step(&format!("example {example}"), run.current_dir(root()));
    }

    let mut checks = vec![
        ("rooms", rooms::rooms().map(Outcome::Held)),
        ("public API", api::check(machine)),
        ("packages", publish::check()),
        ("interrupted commands", interrupted(INTERRUPTED)),
        ("instructions and branches", gate(machine)),
        ("oldest Rust", msrv::check(machine)),
    ];
    checks.extend(engines::all(machine));
    for (name, outcome) in checks {
        println!("\n── {name}");
        match outcome {
            Ok(Outcome::Held(what)) => println!("{what}"),
            Ok(Outcome::Skipped(why)) => skipped.push(format!("{name} ({why})")),
            Err(reason) => {
                println!("{reason}");
                failed.push(name.to_owned());
            }
        }
    }

    let Counts { passed, failed: broken, ignored } = counts;
    println!();
    for skipped in &skipped {
        println!("skipped: {skipped}");
    }
    println!("{passed} tests passed, {broken} failed, {ignored} ignored, {} steps skipped", skipped.len());
    verdict(failed, skipped.len(), arguments.deny_skips)
}

/// Returns whether the tests passed, or the reasons why not.
fn verdict(mut failed: Vec<String>, skipped: usize, deny_skips: bool) -> Result<(), String> {
    if deny_skips && skipped > 0 {
        failed.push(format!("{skipped} skipped with --deny-skips"));
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Returns the tests of the encoders, optimised and with arithmetic checks.
fn optimised_encoders() -> Command {
    let tests =
        ["--lib", "--test", "encoders", "--test", "optimised", "--test", "optimal", "--test", "quadtree"];
    let mut command = cargo(["test", "--package", "qtdec-core"]);
    command.args(tests).args(["--config", "profile.dev.package.qtdec-core.opt-level=3"]);
    command
}

/// Returns the build of the crate with almost nothing in scope, with an optimised attribute and an optimised builder.
fn optimised_macros() -> Command {
    let mut command = cargo(["build", "--package", "qtdec-hygiene"]);
    command.args(
        ["opt-level=3", "overflow-checks=true"]
            .iter()
            .flat_map(|setting| ["--config".to_owned(), format!("profile.dev.build-override.{setting}")]),
    );
    command
}

/// Runs a command, counts the tests in its output, and returns whether it succeeded.
fn run(command: &mut Command, counts: &mut Counts) -> bool {
    let Ok(mut child) = command.stdout(Stdio::piped()).spawn() else { return false };
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok) {
        println!("{line}");
        if let Some((_, result)) = line.split_once("test result: ") {
            let count = |what: &str| {
                let words: Vec<&str> = result.split([' ', ';']).collect();
                let position = words.iter().position(|word| *word == what);
                position.and_then(|position| words[position - 1].parse::<u64>().ok()).unwrap_or(0)
            };
            counts.passed += count("passed");
            counts.failed += count("failed");
            counts.ignored += count("ignored");
        }
    }
    child.wait().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn skipped_steps_fail_only_where_they_are_denied() {
        let failed = vec!["lints".to_owned()];
        assert_eq!(verdict(Vec::new(), 0, true), Ok(()));
        assert_eq!(verdict(Vec::new(), 2, false), Ok(()));
        assert_eq!(verdict(Vec::new(), 2, true), Err("failed: 2 skipped with --deny-skips".to_owned()));
        assert_eq!(verdict(failed.clone(), 2, false), Err("failed: lints".to_owned()));
        assert_eq!(verdict(failed, 1, true), Err("failed: lints, 1 skipped with --deny-skips".to_owned()));
    }
}
