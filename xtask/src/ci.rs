//! The steps of a tier: each in a process of its own, and a table of what they took.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use xtask::outcome::{Outcome, report};
use xtask::run::EVERY_CASE;
use xtask::watched::{Used, watch};

use crate::steps::{self, Step, Tier};

/// The memory that no process may exceed, in bytes.
const MEMORY: u64 = 4 << 30;

/// Most tests run where nothing has been built. Without what a next build could reuse, that takes three quarters of the time.
const BUILT_ONCE: (&str, &str) = ("CARGO_INCREMENTAL", "0");

/// A panic names its place without line tables, which take a tenth of what the compiler does for a build of the tests.
const NO_LINE_TABLES: (&str, &str) = ("CARGO_PROFILE_DEV_DEBUG", "false");

/// The step to run.
#[derive(Args, Clone, Debug)]
pub(crate) struct One {
    /// The name of the step, as in tests/README.md
    name: String,
}

/// Runs what answers at once.
pub(crate) fn check() -> Result<(), String> {
    run_all(&steps::in_tier(Tier::Check), &[])
}

/// Runs every step. One that is skipped is a failure, unless nothing can be installed that mends it.
pub(crate) fn ci() -> Result<(), String> {
    run_all(&steps::in_tier(Tier::All), &[BUILT_ONCE, NO_LINE_TABLES, EVERY_CASE])
}

pub(crate) fn step(one: &One) -> std::process::ExitCode {
    report(steps::find(&one.name).and_then(|step| (step.run)()))
}

/// The results of all tests.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Counts {
    /// Adds the counts in a line, if the line has any.
    fn add(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else { return };
        let words: Vec<&str> = result.split([' ', ';']).collect();
        let count = |what: &str| {
            let position = words.iter().position(|word| *word == what);
            position.and_then(|position| words[position - 1].parse::<u64>().ok()).unwrap_or(0)
        };
        self.passed += count("passed");
        self.failed += count("failed");
        self.ignored += count("ignored");
    }
}

/// The number of steps that run side by side, where they may. Three take as long on two processors: MPI libraries wait by asking.
const TOGETHER: usize = 2;

/// A step that has run.
struct Ran {
    step: &'static Step,
    result: Result<Outcome, String>,
    used: Used,
}

/// The processes of steps: what they are given, and what is made of their lines.
struct Runner<'a> {
    own: PathBuf,
    variables: &'a [(&'a str, &'a str)],
    counts: Mutex<Counts>,
}

impl Runner<'_> {
    /// Runs a step in a process of its own, and passes its lines to `print`. Its time and memory are those of the step.
    fn run(&self, step: &'static Step, mut print: impl FnMut(&str)) -> Ran {
        print(&format!("\n── {}", step.name));
        let mut command = Command::new(&self.own);
        command.args(["step", step.name]).envs(self.variables.iter().copied());
        let (result, used) = watch(&mut command, |line| {
            print(line);
            self.counts.lock().unwrap_or_else(PoisonError::into_inner).add(line);
        });
        Ran { step, result, used }
    }

    /// Runs steps side by side, and prints the lines of each when it ends.
    fn run_together(&self, steps: &[&'static Step]) -> Vec<Ran> {
        let waiting = Mutex::new(steps.iter());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let worker = || {
            let mut ran = Vec::new();
            while let Some(step) = next() {
                let mut lines = String::new();
                ran.push(self.run(step, |line| lines.extend([line, "\n"])));
                print!("{lines}");
            }
            ran
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..TOGETHER).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
        })
    }
}

/// Runs the steps with these variables, and those together that may run side by side.
fn run_all(steps: &[&'static Step], variables: &[(&str, &str)]) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let runner = Runner { own, variables, counts: Mutex::default() };
    let groups = steps.chunk_by(|step, next| step.side_by_side && next.side_by_side);
    let ran: Vec<Ran> = groups
        .flat_map(|group| match group {
            [step] => vec![runner.run(step, |line| println!("{line}"))],
            _ => runner.run_together(group),
        })
        .collect();
    let (mut failed, mut skipped, mut excused) = (Vec::new(), Vec::new(), Vec::new());
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["step", "seconds", "of processor time", "peak, MiB", ""]);
    for Ran { step, result, used } in ran {
        let mut says = match result {
            Ok(Outcome::Held(_)) => "",
            Ok(Outcome::Skipped(why)) => {
                let list = if step.excuses(&why) { &mut excused } else { &mut skipped };
                list.push(format!("{} ({why})", step.name));
                "skipped"
            }
            Err(_) => "failed",
        };
        if used.peak > MEMORY {
            println!("{}: a process used {} MiB of memory", step.name, used.peak >> 20);
            says = "failed";
        }
        if says == "failed" {
            failed.push(step.name.to_owned());
        }
        table.add_row(row(step.name, used, says));
    }
    println!("\n{table}\n");
    let Counts { passed, failed: broken, ignored } =
        runner.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{passed} tests passed, {broken} failed, {ignored} ignored, {} steps skipped",
        skipped.len() + excused.len()
    );
    // What this machine cannot do, whatever is installed, is printed last.
    for skipped in skipped.iter().chain(&excused) {
        println!("skipped: {skipped}");
    }
    verdict(failed, skipped.len())
}

fn row(name: &str, used: Used, says: &str) -> [String; 5] {
    [
        name.to_owned(),
        format!("{:.0}", used.wall.as_secs_f64()),
        format!("{:.0}", used.processor.as_secs_f64()),
        format!("{}", used.peak >> 20),
        says.to_owned(),
    ]
}

/// Returns whether the tests passed, or the reasons why not.
fn verdict(mut failed: Vec<String>, skipped: usize) -> Result<(), String> {
    if skipped > 0 {
        failed.push(format!("{skipped} skipped"));
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::{Counts, verdict};

    #[test]
    fn skipped_steps_fail() {
        let failed = vec!["lints".to_owned()];
        assert_eq!(verdict(Vec::new(), 0), Ok(()));
        assert_eq!(verdict(Vec::new(), 2), Err("failed: 2 skipped".to_owned()));
        assert_eq!(verdict(failed.clone(), 0), Err("failed: lints".to_owned()));
        assert_eq!(verdict(failed, 1), Err("failed: lints, 1 skipped".to_owned()));
    }

    #[test]
    fn the_results_of_several_binaries_are_added() {
        let mut counts = Counts::default();
        counts.add(
            "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.85s",
        );
        counts.add("test one ... ok");
        counts.add(
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s",
        );
        assert_eq!((counts.passed, counts.failed, counts.ignored), (13, 2, 3));
    }
}
