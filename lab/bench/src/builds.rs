//! What a user's clean build pays for each way from a map to a function, in `lab/results/builds.md`.
//!
//! Each way is a program of its own with an empty target folder. The ways are built in turn, so that a busy machine slows all of them, and
//! the table has ratios within one round.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use qtdec_build::ItemOptions;
use qtdec_core::{Document, Options};
use wait4::Wait4;
use xtask::chapter::with_table;
use xtask::files;
use xtask::run::{cargo, root, target};

/// The name of the table.
const TABLE: &str = "builds";

const MAP: &str = "examples/maps/bcast.json";

/// The rounds, of which each builds every way once.
const ROUNDS: usize = 5;

const SERDE: &str = r#"serde = { version = "1", features = ["derive"] }"#;
const JSON: &str = r#"serde_json = "1""#;
const PACKAGES: &str = r#"proc-macro2 = "1"
quote = "1"
serde_json = { version = "1", features = ["raw_value"] }
syn = { version = "3", default-features = false, features = ["clone-impls", "derive", "parsing", "printing", "proc-macro"] }"#;

const DERIVED: &str = "#[derive(serde::Serialize)]\npub struct Point(u32);\n";
const ATTRIBUTE: &str = "#[qtdec::decision_map(\"map.json\")]\npub const fn bcast(comm_size: usize, msg_size: usize) -> &'static str;\n";

/// A program that is built.
struct Way {
    what: &'static str,
    /// Its dependencies; `ROOT` stands for the folder of the workspace.
    dependencies: Vec<&'static str>,
    build_dependencies: &'static str,
    code: String,
}

fn ways() -> Result<Vec<Way>, String> {
    let way = |what, dependencies: &[&'static str], code: &str| Way {
        what,
        dependencies: dependencies.to_vec(),
        build_dependencies: "",
        code: code.to_owned(),
    };
    let qtdec = r#"qtdec = { path = "ROOT" }"#;
    let alone = r#"qtdec = { path = "ROOT", default-features = false }"#;
    let included = "include!(concat!(env!(\"OUT_DIR\"), \"/qtdec/map.rs\"));\n";
    Ok(vec![
        // Everything is relative to the first.
        way("serde with its derive", &[SERDE], DERIVED),
        way("the packages syn, quote, proc-macro2 and serde_json alone", &[PACKAGES], ""),
        way("the attribute", &[alone], ATTRIBUTE),
        way("the attribute, and `qtdec::lookup`", &[qtdec], ATTRIBUTE),
        way("serde with its derive, and serde_json", &[SERDE, JSON], DERIVED),
        way(
            "serde with its derive, serde_json and the attribute",
            &[SERDE, JSON, alone],
            &[DERIVED, ATTRIBUTE].concat(),
        ),
        Way {
            build_dependencies: r#"qtdec-build = { path = "ROOT/qt-build" }"#,
            ..way("the builder in build.rs", &[], included)
        },
        way("the committed source of `qtdec emit`", &[], &emitted()?),
    ])
}

/// Returns the source that a package commits.
fn emitted() -> Result<String, String> {
    let document =
        Document::from_json(&files::bytes(root().join(MAP))?).map_err(|problems| problems.to_string())?;
    let options = Options::parse::<&str>(&[]).map_err(|problems| problems.to_string())?;
    let tree = options.tree(document).map_err(|problems| problems.to_string())?;
    ItemOptions::named("bcast").file(&tree, MAP).map_err(|problems| problems.to_string())
}

impl Way {
    /// Writes the package, and makes its lock file.
    fn write(&self, folder: &Path) -> Result<(), String> {
        let root = root();
        let named = |list: &str| list.replace("ROOT", &root.to_string_lossy());
        files::folder(folder.join("src"))?;
        let manifest = format!(
            "[workspace]\n[package]\nname = \"built\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{}\n[build-dependencies]\n{}\n",
            named(&self.dependencies.join("\n")),
            named(self.build_dependencies)
        );
        files::write(folder.join("Cargo.toml"), manifest)?;
        files::write(folder.join("src/lib.rs"), &self.code)?;
        if !self.build_dependencies.is_empty() {
            let script = "fn main() -> Result<(), qtdec_build::Error> {\n    qtdec_build::Builder::new().map(\"map.json\").generate()\n}\n";
            files::write(folder.join("build.rs"), script)?;
        }
        fs::copy(root.join(MAP), folder.join("map.json")).map_err(|error| error.to_string())?;
        // The versions that the workspace is tested with.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
        self.build(folder).map(|_| ())
    }

    /// Builds the package anew, and returns the processor time in seconds.
    fn build(&self, folder: &Path) -> Result<f64, String> {
        let built = folder.join("target");
        if built.exists() {
            fs::remove_dir_all(&built).map_err(|error| error.to_string())?;
        }
        let mut cargo = cargo(["build", "--quiet", "--offline"]);
        // Cargo compiles packages of a registry this way, but not those of a path.
        let cargo = cargo.current_dir(folder).env("CARGO_INCREMENTAL", "0");
        let cargo = cargo.env("CARGO_TARGET_DIR", &built).stdin(Stdio::null());
        let used = cargo.spawn().and_then(|mut child| child.wait4()).map_err(|error| error.to_string())?;
        if !used.status.success() {
            return Err(format!("{}: cargo build failed in {}", self.what, folder.display()));
        }
        Ok((used.rusage.utime + used.rusage.stime).as_secs_f64())
    }
}

/// Builds every way, and rewrites the table.
pub(crate) fn builds() -> Result<(), String> {
    let path = root().join("lab/results/builds.md");
    let page = files::read(&path)?;
    with_table(&page, TABLE, "")?;
    let ways = ways()?;
    let folder = target().join("lab-builds");
    let folders: Vec<_> = (0..ways.len()).map(|index| folder.join(index.to_string())).collect();
    for (way, folder) in ways.iter().zip(&folders) {
        way.write(folder)?;
    }
    let mut ratios = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        let times = ways.iter().zip(&folders).map(|(way, folder)| way.build(folder));
        let times = times.collect::<Result<Vec<f64>, String>>()?;
        for (ratios, time) in ratios.iter_mut().zip(&times) {
            ratios.push(time / times[0]);
        }
    }
    let mut table = String::from("| program | processor time | from | to |\n|---|---|---|---|\n");
    for (way, mut ratios) in ways.iter().zip(ratios) {
        ratios.sort_by(f64::total_cmp);
        let (first, median, last) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
        let _ = writeln!(table, "| {} | {median:.2} | {first:.2} | {last:.2} |", way.what);
    }
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    files::write(&path, with_table(&page, TABLE, &table)?)
}
