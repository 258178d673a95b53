//! The maps and trees in the repository, and the maps of its measurements.

use std::fs;
use std::path::{Path, PathBuf};

use qtdec_core::Document;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;

use xtask::files;
use xtask::run::root;

/// Folders with files that are intentionally invalid, or that represent everything that a format allows.
const MALFORMED: [&str; 4] = ["mistakes.in", "refusals", "schema", "ui"];

/// The prefixes of the formats of maps and trees; other files are networks and schedules.
const FORMATS: [&[u8]; 2] = [b"qtdec-map/", b"qtdec-tree/"];

/// Returns all of them with their paths in the repository, without duplicate maps.
pub(super) fn documents() -> Result<Vec<(String, Document)>, String> {
    let mut documents: Vec<(String, Document)> = Vec::new();
    for path in files(&root())? {
        if path.iter().any(|part| MALFORMED.iter().any(|folder| part == *folder)) {
            continue;
        }
        let bytes = files::bytes(&path)?;
        if !FORMATS.iter().any(|format| bytes.windows(format.len()).any(|window| window == *format)) {
            continue;
        }
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        match Document::from_json(&bytes) {
            Ok(document) if !documents.iter().any(|(_, other)| is_same(other, &document)) => {
                documents.push((name, document));
            }
            Ok(_) => {}
            Err(problems) => return Err(format!("{name}: {problems}")),
        }
    }
    Ok(documents)
}

/// The collectives measured on Fugaku.
const FUGAKU: [&str; 8] =
    ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"];

/// Returns the maps of Fugaku, one for each collective; that of Polaris is a file.
pub(super) fn measured() -> Result<Vec<(String, Document)>, String> {
    let folder = root().join("qt-cli/data/pico-fugaku").display().to_string();
    let map = |collective: &&str| {
        let options = ReadOptions { collective: Some((*collective).to_owned()), ..ReadOptions::default() };
        let (measurements, _) = readers::read(std::slice::from_ref(&folder), &options, &mut |_, input| input)
            .map_err(|faults| {
                let problems = faults.iter().flat_map(|fault| &fault.problems);
                problems.map(ToString::to_string).collect::<Vec<_>>().join("\n")
            })?;
        let recipe = Recipe { baseline: vec!["default-default".to_owned()], ..Recipe::default() };
        let map =
            recipe.map(&measurements, &mut Notes::default()).map_err(|problems| problems.to_string())?;
        Ok((format!("{collective} on Fugaku"), Document::Map(map)))
    };
    FUGAKU.iter().map(map).collect()
}

/// Returns whether two documents make the same decisions for the same reasons, whatever else they contain.
fn is_same(one: &Document, other: &Document) -> bool {
    match (one, other) {
        (Document::Map(one), Document::Map(other)) => {
            one.domain() == other.domain() && one.cells() == other.cells()
        }
        (Document::Tree(one), Document::Tree(other)) => one == other,
        _ => false,
    }
}

/// Returns every file named `*.json`, except for build products.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path)?);
        } else if path.is_file() && name.ends_with(".json") {
            found.push(path);
        }
    }
    Ok(found)
}
