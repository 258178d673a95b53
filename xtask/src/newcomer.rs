//! From the benchmarks of a program to a decision in it, as somebody new does it: the commands of the README with a real `cargo bench` of
//! criterion, in a package of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use xtask::outcome::Outcome;
use xtask::run::{printed, program, root, target};

/// The package, with the files that are there before the first command.
const BEFORE: [&str; 3] = ["Cargo.toml", "src/lib.rs", "benches/sort.rs"];

/// What is written after the map: the program that uses it.
const AFTER: (&str, &str) = ("after/main.rs", "src/main.rs");

/// The commands before that program is written. In the README, the package comes from the registry.
const COMMANDS: [&str; 3] = [
    "cargo add --quiet qtdec --path \"$QTDEC\"",
    "cargo bench --quiet",
    "qtdec map target/criterion/sort -o maps/sort.json",
];

/// No result depends on how fast the methods and criterion are, and without optimisation criterion compiles in a third of the time.
const NOT_OPTIMISED: (&str, &str) = ("CARGO_PROFILE_BENCH_OPT_LEVEL", "0");

/// The last command, with what it prints.
const LAST: (&str, &str) = ("cargo run --quiet", "sorted\n");

pub(crate) fn check() -> Result<Outcome, String> {
    let qtdec = program("qtdec")?;
    let package = target().join("newcomer");
    for made in ["Cargo.lock", "src", "maps", "target/criterion"].map(|name| package.join(name)) {
        // What was built stays for the next run.
        let _ = if made.is_dir() { fs::remove_dir_all(made) } else { fs::remove_file(made) };
    }
    for file in BEFORE {
        copy(file, &package.join(file))?;
    }
    let run = |command: &str| run(command, &package, Path::new(qtdec.get_program()));
    for command in COMMANDS {
        run(command)?;
    }
    let map = fs::read_to_string(package.join("maps/sort.json"))
        .map_err(|error| format!("maps/sort.json: {error}"))?;
    let map: serde_json::Value =
        serde_json::from_str(&map).map_err(|error| format!("maps/sort.json: {error}"))?;
    let names = |key: &str| -> Vec<&str> {
        map[key].as_array().into_iter().flatten().filter_map(|entry| entry["name"].as_str()).collect()
    };
    let (axes, methods) = (names("axes"), names("methods"));
    if axes != ["len", "range"] || methods.len() != 3 {
        return Err(format!("the map has the axes {axes:?} and the methods {methods:?}"));
    }
    copy(AFTER.0, &package.join(AFTER.1))?;
    match run(LAST.0)? {
        printed if printed == LAST.1 => Ok(Outcome::Held(format!("{} commands", COMMANDS.len() + 1))),
        printed => Err(format!("`{}` prints {printed:?}", LAST.0)),
    }
}

fn copy(from: &str, to: &Path) -> Result<(), String> {
    let folder = to.parent().ok_or("a file lies in a folder")?;
    let copied =
        fs::create_dir_all(folder).and_then(|()| fs::copy(root().join("tests/newcomer").join(from), to));
    copied.map(drop).map_err(|error| format!("{from}: {error}"))
}

fn run(command: &str, package: &Path, qtdec: &Path) -> Result<String, String> {
    println!("$ {command}");
    let folder = qtdec.parent().ok_or("a program lies in a folder")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path)));
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", command]).current_dir(package).stdin(Stdio::null()).stderr(Stdio::inherit());
    shell.env("PATH", path.map_err(|error| error.to_string())?).env("QTDEC", root());
    shell.env(NOT_OPTIMISED.0, NOT_OPTIMISED.1);
    printed(shell.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS"))
}
