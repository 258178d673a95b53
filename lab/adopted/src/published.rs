//! Copies of published crates with the decisions in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use xtask::files;
use xtask::run::{cargo, printed};

use crate::adopted::{ALL, Adopted, folder};
use crate::written;

/// Puts the patched copy of each crate where the manifest of the workspace expects it, all of them: Cargo reads every manifest.
pub(crate) fn patch_all() -> Result<(), String> {
    ALL.iter().filter_map(|adopted| Some((adopted, adopted.patched?))).try_for_each(|(adopted, version)| {
        let copy = folder().join("target/adopted").join(format!("{}-{version}", adopted.name));
        let (patch, applied) = (adopted.path("published.patch"), copy.join("published.patch"));
        let text = files::bytes(&patch)?;
        // Cargo builds again what is newer, and other crates use these.
        if !fs::read(&applied).is_ok_and(|applied| applied == text) {
            copied(&published(adopted, version)?, &copy)?;
            let mut command = Command::new("patch");
            command.args(["--silent", "--strip=1", "--input"]).arg(patch).current_dir(&copy);
            printed(&mut command)?;
            files::write(applied, text)?;
        }
        ["rule.rs", "choice.rs"].iter().try_for_each(|file| {
            let added = files::bytes(adopted.path("added").join(file))?;
            written(&copy.join("src").join(file), &added)
        })
    })
}

/// Puts a copy of a folder in the place of another one.
fn copied(folder: &Path, copy: &Path) -> Result<(), String> {
    if copy.exists() {
        fs::remove_dir_all(copy).map_err(files::named(copy))?;
    }
    files::folder(copy.parent().unwrap_or(copy))?;
    printed(Command::new("cp").args(["-r", "-p"]).args([folder, copy])).map(drop)
}

/// Returns the folder in which Cargo keeps a published crate, which it downloads if need be.
fn published(adopted: &Adopted, version: &str) -> Result<PathBuf, String> {
    let package = folder().join("target/published").join(adopted.name);
    let manifest = package.join("Cargo.toml");
    let of_package = "[package]\nname = \"published\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n";
    written(&manifest, format!("{of_package}{} = \"={version}\"\n", adopted.name).as_bytes())?;
    written(&package.join("src/lib.rs"), b"")?;
    let mut metadata = cargo(["metadata", "--format-version", "1", "--manifest-path"]);
    let metadata: Value =
        serde_json::from_str(&printed(metadata.arg(manifest))?).map_err(|error| error.to_string())?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == adopted.name && package["version"] == version);
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    folder
        .map(Path::to_owned)
        .ok_or_else(|| format!("cargo metadata does not name {} {version}", adopted.name))
}
