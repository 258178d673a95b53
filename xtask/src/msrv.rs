//! The minimum supported Rust version, as far as this machine can check it.

use serde_json::Value;

use xtask::outcome::Outcome;
use xtask::packages::Machine;
use xtask::run::{cargo, root, target};

/// Builds with that version if rustup has it or may install it. Otherwise checks that no dependency requires a newer one; a lint,
/// which `clippy` has already run, checks that the project uses nothing newer from the standard library.
pub(crate) fn check(machine: Machine) -> Result<Outcome, String> {
    let promised = promised()?;
    let missing = match machine.cargo_of(&promised) {
        Ok(mut cargo) => {
            // Only what users build: the rest is for developers, who have a newer version.
            cargo.arg("check").args(published()?.iter().flat_map(|name| ["--package", name]));
            cargo.arg("--target-dir").arg(target().join("msrv"));
            return match cargo.current_dir(root()).status() {
                Ok(status) if status.success() => Ok(Outcome::Held(format!("built with Rust {promised}"))),
                _ => Err(format!("does not build with Rust {promised}")),
            };
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

/// Returns the names of the published packages.
fn published() -> Result<Vec<String>, String> {
    let output = cargo(["metadata", "--format-version=1", "--no-deps"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| package["name"].as_str().map(str::to_owned)).collect())
}

fn promised() -> Result<String, String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).map_err(|error| error.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    line.map(|version| version.trim_matches('"').to_owned())
        .ok_or_else(|| "no rust-version is promised".to_owned())
}

/// Returns the dependencies of published packages that require a newer Rust.
fn newer_dependencies(promised: &str) -> Result<Vec<String>, String> {
    let output = cargo(["metadata", "--format-version=1"]).output().map_err(|error| error.to_string())?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
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
