//! Every check and test there is.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::bench::{Gate, gate};
use crate::engines::{self, Outcome};
use crate::msrv::{self, Found};
use crate::run::{cargo, root, rustc_version};
use crate::tools;
use crate::weka;

/// The texts of compiler errors under `tests/ui` are those of this version.
const UI_TEXTS_OF: &str = "1.95.0";

/// What came of all the tests.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

pub(crate) fn test() -> Result<(), String> {
    let mut skipped = Vec::new();
    let mut failed = Vec::new();
    let mut counts = Counts::default();
    let mut step = |name: &str, command: &mut Command| {
        println!("\n── {name}");
        if !run(command, &mut counts) {
            failed.push(name.to_owned());
        }
    };

    step("format", &mut cargo(["fmt", "--all", "--check"]));
    step("lints", &mut cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]));
    step("tests", &mut cargo(["test", "--workspace", "--no-fail-fast"]));
    if rustc_version() == UI_TEXTS_OF {
        // The texts name the folder that cargo builds in.
        let built_in = root().join("target");
        let mut errors = cargo(["test", "--test", "ui", "--", "--ignored"]);
        step("compiler errors", errors.env("CARGO_TARGET_DIR", built_in));
    } else {
        skipped.push(format!("compiler errors (their texts are those of rustc {UI_TEXTS_OF})"));
    }
    if tools::is_there("chromium", "chromium") {
        step("browser", &mut cargo(["test", "--package", "qtdec-browser", "--", "--ignored"]));
    } else {
        skipped.push("the page of a report in a browser (Chromium is not installed)".to_owned());
    }
    match weka::class_path() {
        Ok(class_path) => {
            let mut ask = cargo(["test", "--package", "qtdec-core", "--test", "c45", "--", "--ignored"]);
            step("C4.5 against Weka's J48", ask.env("WEKA", class_path));
        }
        Err(reason) => {
            skipped.push(format!("C4.5 against Weka's J48; its stored trees were used ({reason})"));
        }
    }
    step("documentation", cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"));
    for example in ["quickstart", "general", "beside_rules"] {
        step(&format!("example {example}"), &mut cargo(["run", "--quiet", "--example", example]));
    }
    step("example build-script", &mut cargo(["run", "--quiet", "--package", "qtdec-example-build-script"]));

    println!("\n── instructions and branches");
    match gate() {
        Ok(Gate::Held(counts)) => println!("{counts}"),
        Ok(Gate::NotInstalled) => {
            skipped.push("instructions and branches (valgrind is not installed here)".to_owned());
        }
        Err(reason) => {
            println!("{reason}");
            failed.push("instructions and branches".to_owned());
        }
    }

    for (library, outcome) in engines::all() {
        println!("\n── {library}");
        match outcome {
            Ok(Outcome::Agreed(what)) => println!("{what}"),
            Ok(Outcome::Skipped(why)) => skipped.push(format!("{library} itself ({why})")),
            Err(reason) => {
                println!("{reason}");
                failed.push(library.to_owned());
            }
        }
    }

    println!("\n── oldest Rust");
    match msrv::check() {
        Ok(Found::Built(version)) => println!("built with Rust {version}"),
        Ok(Found::NotInstalled(version)) => {
            println!("no dependency asks for a Rust newer than {version}");
            skipped.push(format!("a build with Rust {version} (it is not installed here)"));
        }
        Err(reason) => {
            println!("{reason}");
            failed.push("oldest Rust".to_owned());
        }
    }

    let Counts { passed, failed: broken, ignored } = counts;
    println!();
    for skipped in &skipped {
        println!("skipped: {skipped}");
    }
    let result = if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) };
    println!("{passed} tests passed, {broken} failed, {ignored} ignored, {} steps skipped", skipped.len());
    result
}

/// Runs a command, counts the tests in what it prints, and tells whether it went well.
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
