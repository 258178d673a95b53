//! Measured decisions in published crates: each is measured, made and compiled, and judged by times that decided nothing.

mod adopted;
mod page;
mod published;
mod seen;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Parser;
use serde_json::{Map, Value};
use xtask::files;
use xtask::outcome::{Outcome, report};
use xtask::run::{cargo, printed, program};

use adopted::{ALL, Adopted};
use seen::{RUNS, Seen};

/// Measure the decisions in published crates again, and compare their gains with the intervals on the pages
#[derive(Debug, Parser)]
#[command(name = "cargo xtask adopted")]
struct Arguments {
    /// Measure only this crate
    name: Option<String>,

    /// Make the decisions anew, and write their code and the pages
    #[arg(long)]
    write: bool,
}

/// The seconds that the first run takes, and each of those that judge.
const SECONDS: (&str, &str) = ("30", "8");

/// The number of processes that judge a decision on each run of a page.
const PROCESSES: usize = 8;

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(adopted(&Arguments::parse()))
}

fn adopted(arguments: &Arguments) -> Result<Outcome, String> {
    let is_chosen = |adopted: &&Adopted| arguments.name.as_ref().is_none_or(|name| name == adopted.name);
    let chosen: Vec<&Adopted> = ALL.iter().filter(is_chosen).collect();
    if chosen.is_empty() {
        let names = ALL.map(|adopted| adopted.name).join(", ");
        return Err(format!("there is no such crate: name one of {names}"));
    }
    let qtdec = Qtdec(program("qtdec")?);
    published::patch_all()?;
    if arguments.write { write(&chosen, &qtdec) } else { check(&chosen, &qtdec) }
}

/// Makes the decisions anew, judges them, and writes their code and the pages.
fn write(chosen: &[&Adopted], qtdec: &Qtdec) -> Result<Outcome, String> {
    for adopted in chosen {
        decide(adopted, qtdec)?;
    }
    published::patch_all()?;
    // The processes of a run are spread over the whole time, because those that follow each other differ less.
    for process in 0..PROCESSES {
        for adopted in chosen {
            RUNS.iter().try_for_each(|run| measure(adopted, run.name, process, SECONDS.1).map(drop))?;
        }
    }
    for adopted in chosen {
        let text =
            serde_json::to_string_pretty(&judge(adopted, qtdec)?).map_err(|error| error.to_string())?;
        written(&adopted.path("results.json"), (text + "\n").as_bytes())?;
    }
    let pages = page::pages()?;
    pages.iter().try_for_each(|(path, page)| written(path, page.as_bytes()))?;
    Ok(Outcome::Held(format!("{} pages", pages.len())))
}

/// Judges the decisions by a further process of each run, whose gain has to lie in the interval of the page.
fn check(chosen: &[&Adopted], qtdec: &Qtdec) -> Result<Outcome, String> {
    let (mut held, mut all) = (0, 0);
    for adopted in chosen {
        qtdec.run(adopted, [&adopted.emit()[..], &["--check"]].concat())?;
        let results = seen::read(adopted)?;
        for run in RUNS {
            let times = measure(adopted, run.name, PROCESSES, SECONDS.1)?;
            let (before, now) = (Seen::of(&results[run.name])?, qtdec.decided(adopted, &[times])?);
            let now = seen::gain(&now)?;
            let holds = before.low <= now && now <= before.high;
            let word = if holds { "holds" } else { "does not hold" };
            println!("{}, {}: {now:+.2} %, on the page {before}: {word}", adopted.name, run.name);
            all += 1;
            held += usize::from(holds);
        }
    }
    let result = format!("{held} of {all} gains lie in the intervals of the pages");
    if held == all {
        return Ok(Outcome::Held(result));
    }
    Err(format!("{result}: measure again, and if the same ones fail, make the pages anew with --write"))
}

/// Measures the samples, and makes the decision of them.
fn decide(adopted: &Adopted, qtdec: &Qtdec) -> Result<(), String> {
    let times = measure(adopted, "first", 0, SECONDS.0)?;
    qtdec.run(adopted, ["map", &times, "--statistic", "min", "-o", "map.json"])?;
    let options = ["--encoding", "optimal", "--budget", "mean 1%"];
    qtdec.run(adopted, [&["encode", "map.json", "-o", "tree.json"], &options[..]].concat())?;
    qtdec.run(adopted, adopted.emit()).map(drop)
}

/// Returns what `qtdec stats` says of the map before, and of the least times of all processes of each run, with the gain in each.
fn judge(adopted: &Adopted, qtdec: &Qtdec) -> Result<Value, String> {
    let mut results = Map::new();
    results.insert("said".to_owned(), qtdec.stats(adopted, ["tree.json", "--against", "map.json"])?);
    for run in RUNS {
        let processes = (0..PROCESSES).map(|process| times(adopted, run.name, process));
        let processes: Vec<String> = processes.collect();
        let mut result = qtdec.decided(adopted, &processes)?;
        let gains = processes.chunks(1).map(|process| seen::gain(&qtdec.decided(adopted, process)?));
        result["gains"] = gains.collect::<Result<Vec<f64>, String>>()?.into();
        result["slower"] = result["slower"][0].take();
        if run.has_choices {
            let choices = "../target/choices.json";
            qtdec.map(adopted, &processes, choices, &["--exclude", "decided"])?;
            result["choices"] = qtdec.stats(adopted, ["tree.json", "--against", choices])?;
        }
        results.insert(run.name.to_owned(), result);
    }
    Ok(results.into())
}

/// Measures a run in a process of its own, and returns the file with its times.
fn measure(adopted: &Adopted, run: &str, process: usize, seconds: &str) -> Result<String, String> {
    let times = times(adopted, run, process);
    println!("{}: {run}", adopted.name);
    let package = format!("adopted-{}", adopted.name);
    let mut command = cargo(["run", "--quiet", "--release", "--package", &package, "--"]);
    printed(command.args([run, seconds, &times]).current_dir(adopted.path("")))?;
    Ok(times)
}

/// Returns the file with the times of a process, as seen from the folder of the crate.
fn times(adopted: &Adopted, run: &str, process: usize) -> String {
    format!("../target/{}-{run}-{process}.csv", adopted.name)
}

/// The program `qtdec`.
struct Qtdec(Command);

impl Qtdec {
    /// Runs a command in the folder of a crate, and returns what it prints.
    fn run<'a>(
        &self,
        adopted: &Adopted,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Result<String, String> {
        printed(Command::new(self.0.get_program()).args(arguments).current_dir(adopted.path("")))
    }

    /// Makes a map of the least times of some processes.
    fn map(&self, adopted: &Adopted, times: &[String], map: &str, options: &[&str]) -> Result<(), String> {
        let times = times.iter().map(String::as_str);
        let arguments = ["map"].into_iter().chain(times).chain(["--statistic", "min", "-o", map]);
        self.run(adopted, arguments.chain(options.iter().copied())).map(drop)
    }

    /// Returns the statistics of the decision as it is called, in the least times of some processes.
    fn decided(&self, adopted: &Adopted, times: &[String]) -> Result<Value, String> {
        let (all, called) = ("../target/all.json", "../target/called.json");
        self.map(adopted, times, all, &[])?;
        // The decision as it is called is one method everywhere.
        let axes = seen::axes(&adopted.path(all))?;
        self.run(adopted, ["map", "--placeholder", "--methods", "decided", "--axes", &axes, "-o", called])?;
        self.stats(adopted, [called, "--against", all, "--slower"])
    }

    fn stats<'a>(
        &self,
        adopted: &Adopted,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Result<Value, String> {
        let printed = self.run(adopted, ["stats", "--json"].into_iter().chain(arguments))?;
        serde_json::from_str(&printed).map_err(|error| error.to_string())
    }
}

/// Writes a file if its text differs: Cargo builds again what is newer.
pub(crate) fn written(path: &Path, text: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    files::folder(path.parent().unwrap_or(path))?;
    files::write(path, text)
}
