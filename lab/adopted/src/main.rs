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
use xtask::outcome::{Outcome, report};
use xtask::run::{cargo, program};

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

/// The seconds that the first run takes, and each of the others.
const SECONDS: (&str, &str) = ("30", "20");

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
    if arguments.write {
        for adopted in &chosen {
            decide(adopted, &qtdec)?;
        }
        published::patch_all()?;
        for adopted in &chosen {
            let results = judge(adopted, &qtdec)?;
            let text = serde_json::to_string_pretty(&results).map_err(|error| error.to_string())?;
            written(&adopted.path("results.json"), (text + "\n").as_bytes())?;
        }
        let pages = page::pages()?;
        pages.iter().try_for_each(|(path, page)| written(path, page.as_bytes()))?;
        return Ok(Outcome::Held(format!("{} pages", pages.len())));
    }
    let (mut held, mut all) = (0, 0);
    for adopted in chosen {
        qtdec.run(adopted, [&adopted.emit()[..], &["--check"]].concat())?;
        let (before, now) = (seen::read(adopted)?, judge(adopted, &qtdec)?);
        for run in RUNS {
            let (before, now) = (Seen::of(&before[run.name])?, Seen::of(&now[run.name])?);
            let holds = before.low <= now.gain && now.gain <= before.high;
            let word = if holds { "holds" } else { "does not hold" };
            println!("{}, {}: {:+.2} %, on the page {before}: {word}", adopted.name, run.name, now.gain);
            all += 1;
            held += usize::from(holds);
        }
    }
    Ok(Outcome::Held(format!("{held} of {all} gains lie in the intervals of the pages")))
}

/// Measures the samples, and makes the decision of them.
fn decide(adopted: &Adopted, qtdec: &Qtdec) -> Result<(), String> {
    let times = measure(adopted, "first", SECONDS.0)?;
    qtdec.run(adopted, ["map", &times, "--statistic", "min", "-o", "map.json"])?;
    let options = ["--encoding", "optimal", "--budget", "mean 1%"];
    qtdec.run(adopted, [&["encode", "map.json", "-o", "tree.json"], &options[..]].concat())?;
    qtdec.run(adopted, adopted.emit()).map(drop)
}

/// Measures what decided nothing, and returns what `qtdec stats` says of it for each run, and of the map before.
fn judge(adopted: &Adopted, qtdec: &Qtdec) -> Result<Value, String> {
    let mut results = Map::new();
    results.insert("said".to_owned(), qtdec.stats(adopted, ["tree.json", "--against", "map.json"])?);
    for run in RUNS {
        let times = measure(adopted, run.name, SECONDS.1)?;
        let (all, choices, called) =
            ("../target/all.json", "../target/choices.json", "../target/called.json");
        let map = ["map", &times, "--statistic", "min", "-o"];
        qtdec.run(adopted, [&map[..], &[all]].concat())?;
        // The decision as it is called is one method everywhere.
        let axes = seen::axes(&adopted.path(all))?;
        qtdec
            .run(adopted, ["map", "--placeholder", "--methods", "decided", "--axes", &axes, "-o", called])?;
        let mut result = qtdec.stats(adopted, [called, "--against", all, "--slower"])?;
        result["slower"] = result["slower"][0].take();
        if run.has_choices {
            qtdec.run(adopted, [&map[..], &[choices, "--exclude", "decided"]].concat())?;
            result["choices"] = qtdec.stats(adopted, ["tree.json", "--against", choices])?;
        }
        results.insert(run.name.to_owned(), result);
    }
    Ok(results.into())
}

/// Measures a run, and returns the file with its times, as seen from the folder of the crate.
fn measure(adopted: &Adopted, run: &str, seconds: &str) -> Result<String, String> {
    let times = format!("../target/{}-{run}.csv", adopted.name);
    println!("{}: {run}", adopted.name);
    let package = format!("adopted-{}", adopted.name);
    let mut command = cargo(["run", "--quiet", "--release", "--package", &package, "--"]);
    output(command.args([run, seconds, &times]).current_dir(adopted.path("")))?;
    Ok(times)
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
        output(Command::new(self.0.get_program()).args(arguments).current_dir(adopted.path("")))
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

/// Runs a command and returns what it prints, or why it failed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a file if its text differs: Cargo builds again what is newer.
pub(crate) fn written(path: &Path, text: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
    parent.and_then(|()| fs::write(path, text)).map_err(|error| format!("{}: {error}", path.display()))
}
