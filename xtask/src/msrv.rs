//! The minimum supported versions of Rust, as far as this machine can check them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::files;
use xtask::machine;
use xtask::outcome::Outcome;
use xtask::run::{root, target};

use crate::publish::{packages, published};

/// The package of the attribute, whose version its users need.
const ATTRIBUTE: &str = "qtdec";

/// A program with the attribute. In the workspace, its dependencies for development would need a newer Rust.
const CONSUMER: &str = "examples/general";

/// Builds every published package with the version it promises, and a program with the attribute in a workspace of its own, if rustup has
/// the versions or may install them. Otherwise checks that no dependency requires a newer one; a lint, which `clippy` has already run,
/// checks that the project uses nothing newer from the standard library.
pub(crate) fn check() -> Result<Outcome, String> {
    let promised = promised()?;
    let mut built_with = Vec::new();
    for (version, packages) in &promised {
        let mut cargo = match machine::cargo_of(version) {
            Ok(cargo) => cargo,
            Err(missing) => return without(&promised, &missing),
        };
        // Only what users build: the rest is for developers, who have a newer version.
        cargo.arg("check").current_dir(root());
        if packages.iter().any(|package| package == ATTRIBUTE) {
            // The attribute uses the generator without its features.
            cargo.arg("--no-default-features");
        }
        cargo.args(packages.iter().flat_map(|package| ["--package", package]));
        built(cargo, version)?;
        if packages.iter().any(|package| package == ATTRIBUTE) {
            let mut cargo = machine::cargo_of(version)?;
            cargo.arg("build").current_dir(consumer()?);
            built(cargo, version)?;
        }
        built_with.push(format!("Rust {version}"));
    }
    Ok(Outcome::Held(format!("built with {}", built_with.join(" and "))))
}

fn built(mut cargo: Command, version: &str) -> Result<(), String> {
    cargo.arg("--target-dir").arg(target().join("msrv"));
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("does not build with Rust {version}")),
    }
}

/// Returns the folder of a copy of the program with the attribute, outside of the workspace.
fn consumer() -> Result<std::path::PathBuf, String> {
    let folder = target().join("msrv-consumer");
    let _ = fs::remove_dir_all(&folder);
    for part in ["src", "src/bin", "maps"] {
        copy(&root().join(CONSUMER).join(part), &folder.join(part))?;
    }
    let manifest = format!(
        "[package]\nname = \"qtdec-example-general\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\n\n[workspace]\n\n\
         [dependencies]\n{ATTRIBUTE} = {{ path = \"{}\" }}\n",
        root().display()
    );
    files::write(folder.join("Cargo.toml"), manifest)?;
    Ok(folder)
}

/// Copies the files of a folder, without its folders.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    files::folder(to)?;
    for entry in fs::read_dir(from).map_err(files::named(from))? {
        let path = entry.map_err(files::named(from))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            files::write(to.join(name), files::bytes(&path)?)?;
        }
    }
    Ok(())
}

/// Returns the names of the published packages, by the version that they promise.
fn promised() -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut promised: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in published()? {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        promised.entry(text("rust_version")).or_default().push(text("name"));
    }
    Ok(promised)
}

/// Checks the dependencies alone, where a version of Rust is missing.
fn without(promised: &BTreeMap<String, Vec<String>>, missing: &str) -> Result<Outcome, String> {
    let newest = promised.keys().max_by_key(|version| number(version)).cloned().unwrap_or_default();
    let newer = newer_dependencies(&newest)?;
    if newer.is_empty() {
        Ok(Outcome::Skipped(format!("{missing}; no dependency asks for a newer one than {newest}")))
    } else {
        Err(format!("Rust {newest} is promised, and these ask for a newer one: {}", newer.join(", ")))
    }
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
