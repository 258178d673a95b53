//! The minimum supported Rust version, as far as this machine can check it.

use std::process::Command;

use xtask::files;
use xtask::outcome::Outcome;
use xtask::packages::Machine;
use xtask::run::{root, target};

use crate::publish::{packages, published};

/// Builds with that version if rustup has it or may install it. Otherwise checks that no dependency requires a newer one; a lint,
/// which `clippy` has already run, checks that the project uses nothing newer from the standard library.
pub(crate) fn check(machine: Machine) -> Result<Outcome, String> {
    let promised = promised()?;
    let missing = match machine.cargo_of(&promised) {
        Ok(mut cargo) => {
            // Only what users build: the rest is for developers, who have a newer version.
            cargo.arg("check");
            for package in published()? {
                cargo.args(["--package", package["name"].as_str().unwrap_or_default()]);
            }
            built(cargo, &promised)?;
            return Ok(Outcome::Held(format!("built with Rust {promised}")));
        }
        Err(missing) => missing,
    };
    let newer = newer_dependencies(&promised)?;
    if newer.is_empty() {
        Ok(Outcome::Skipped(format!("{missing}; no dependency asks for a newer one")))
    } else {
        Err(format!("Rust {promised} is promised, and these ask for a newer one: {}", newer.join(", ")))
    }
}

fn built(mut cargo: Command, promised: &str) -> Result<(), String> {
    cargo.arg("--target-dir").arg(target().join("msrv"));
    match cargo.current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("does not build with Rust {promised}")),
    }
}

fn promised() -> Result<String, String> {
    let manifest = files::read(root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    line.map(|version| version.trim_matches('"').to_owned())
        .ok_or_else(|| "no rust-version is promised".to_owned())
}

/// Returns the dependencies of published packages that require a newer Rust.
fn newer_dependencies(promised: &str) -> Result<Vec<String>, String> {
    let packages = packages(&[])?;
    let newer = packages.iter().filter_map(|package| {
        let required = package["rust_version"].as_str()?;
        (number(required) > number(promised))
            .then(|| format!("{} ({required})", package["name"].as_str().unwrap_or_default()))
    });
    Ok(newer.collect())
}

fn number(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    [0; 3].map(|missing| parts.next().unwrap_or(missing))
}
