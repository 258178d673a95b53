//! The public API of the libraries: `cargo xtask api` compares it with its record in `xtask/api`.
//!
//! The items are read from rustdoc's JSON. This format is unstable, so only that of one version of Rust is read.

mod rules;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use public_api::{Builder, PublicApi};
use serde_json::Value;

use xtask::machine;
use xtask::outcome::{Outcome, report};
use xtask::run::{root, target};

/// The version of Rust whose JSON the library `public-api` reads.
const DESCRIPTIONS_OF: &str = "1.95.0";

/// The libraries whose API is recorded. Those of `qtdec-report`, `qtdec-terminal`, `qtdec-mpi-run` and `qtdec-mpi` are only for the programs.
const LIBRARIES: [&str; 9] = [
    "qtdec",
    "qtdec-build",
    "qtdec-times",
    "qtdec-core",
    "qtdec-lookup",
    "qtdec-study",
    "qtdec-mpi-predict",
    "qtdec-mpi-schedule",
    "qtdec-measure",
];

/// The libraries for programs of users: each of their items has an example.
const WITH_EXAMPLES: [&str; 3] = ["qtdec", "qtdec-build", "qtdec-lookup"];

/// Compare the public API of the libraries with its record in `xtask/api`
#[derive(Clone, Copy, Debug, Parser)]
#[command(name = "cargo xtask api")]
struct Arguments {
    /// Rewrite the record
    #[arg(long)]
    overwrite: bool,
}

fn main() -> ExitCode {
    let Arguments { overwrite } = Arguments::parse();
    report(record(overwrite))
}

fn record(overwrite: bool) -> Result<Outcome, String> {
    let folder = match descriptions()? {
        Ok(folder) => folder,
        Err(missing) => return Ok(Outcome::Skipped(missing)),
    };
    let mut faults = Vec::new();
    let mut items = 0;
    for library in LIBRARIES {
        let description = folder.join(format!("{}.json", library.replace('-', "_")));
        let (listed, text) = listing(&description)?;
        items += listed;
        let path = root().join(format!("xtask/api/{library}.txt"));
        if overwrite {
            fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        } else {
            let recorded = fs::read_to_string(&path).unwrap_or_default();
            faults.extend(differences(&recorded, &text).into_iter().map(|line| format!("{library}: {line}")));
        }
        let text = fs::read(&description).map_err(|error| error.to_string())?;
        let description: Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let broken = rules::broken(&description, WITH_EXAMPLES.contains(&library));
        faults.extend(broken.into_iter().map(|fault| format!("{library}: {fault}")));
    }
    if faults.is_empty() {
        Ok(Outcome::Held(format!("{items} public items of {} libraries are as recorded", LIBRARIES.len())))
    } else {
        faults.push("if the change is intended, record it with `cargo xtask api --overwrite`".to_owned());
        Err(faults.join("\n"))
    }
}

/// Returns the folder with the JSON files, or a message about what is missing.
fn descriptions() -> Result<Result<PathBuf, String>, String> {
    let mut cargo = match machine::cargo_of(DESCRIPTIONS_OF) {
        Ok(cargo) => cargo,
        Err(missing) => return Ok(Err(missing)),
    };
    let rustdoc = unstable_rustdoc().map_err(|error| format!("cannot write a script: {error}"))?;
    cargo.args(["doc", "--quiet", "--workspace", "--no-deps", "--lib"]).current_dir(root());
    // Only rustdoc gets the flags, so the dependencies that were built for the documentation are reused.
    let flags = "-Z unstable-options --output-format json --cap-lints allow";
    cargo.env("RUSTDOC", rustdoc).env("RUSTDOCFLAGS", flags);
    match cargo.status() {
        Ok(status) if status.success() => Ok(Ok(target().join("doc"))),
        _ => Err("the libraries cannot be documented".to_owned()),
    }
}

/// Writes a script that runs rustdoc with unstable options allowed. If they were allowed for Cargo too, it would rebuild every
/// dependency.
fn unstable_rustdoc() -> std::io::Result<PathBuf> {
    let path = target().join("unstable-rustdoc");
    fs::create_dir_all(target())?;
    fs::write(&path, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n")?;
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(path)
}

/// Returns the number of public items in a JSON file, and the items, one per line.
fn listing(description: &Path) -> Result<(usize, String), String> {
    let api: PublicApi = Builder::from_rustdoc_json(description)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", description.display()))?;
    let lines: Vec<String> = api.items().map(|item| format!("{item}\n")).collect();
    Ok((lines.len(), lines.concat()))
}

/// Returns the lines that are in only one of two listings.
fn differences(recorded: &str, found: &str) -> Vec<String> {
    let only_in = |text: &str, other: &str, mark: char| -> Vec<String> {
        let other: std::collections::HashSet<&str> = other.lines().collect();
        text.lines().filter(|line| !other.contains(line)).map(|line| format!("{mark} {line}")).collect()
    };
    [only_in(recorded, found, '-'), only_in(found, recorded, '+')].concat()
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn removed_and_added_items_are_listed() {
        assert_eq!(differences("pub fn a()\npub fn b()\n", "pub fn a()\npub fn b()\n"), [""; 0]);
        let changed = differences("pub fn a()\npub fn b()\n", "pub fn a()\npub fn b(u32)\n");
        assert_eq!(changed, ["- pub fn b()", "+ pub fn b(u32)"]);
    }
}
