//! Comparison of the project's rooms with ARCHITECTURE.md: `cargo xtask rooms`.
//!
//! A room is a package or a module at the root of a package. The table of ARCHITECTURE.md lists each room with the rooms
//! that it may use. A room uses only rooms that stand above it, so the table cannot contain a cycle. The drawing has the arrows
//! between packages. The files of a package use each other in no circle either.

mod absent;
mod circles;
mod drawing;
mod modules;
mod table;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use modules::Modules;
use table::RoomTable;
use xtask::files;
use xtask::run::{cargo, root};

/// The rooms that each room uses, with the first place of each use.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// Compares the rooms with the table of ARCHITECTURE.md, looks for circles of files, and describes how many rooms there are.
pub(crate) fn rooms() -> Result<String, String> {
    let text = files::read(root().join("ARCHITECTURE.md"))?;
    let table = RoomTable::parse(&text)?;
    let packages = packages()?;
    let edges = found(&table, &packages)?;
    let mut faults = differences(&table, &edges);
    let folders = folders(&packages)?;
    let packages_alone = folders.values().filter_map(|room| Some((room, edges.get(room)?)));
    let arrows =
        packages_alone.flat_map(|(room, uses)| uses.keys().map(move |used| (room.as_str(), used.as_str())));
    faults.extend(drawing::Drawing::parse(&text)?.faults(arrows));
    let absent = absent::parse(&text)?;
    let mut are_used = vec![false; absent.len()];
    for package in &packages {
        for modules in modules_of(package)? {
            faults.extend(circles::circles(&modules));
            for (absent, is_used) in absent.iter().zip(&mut are_used) {
                faults.extend(absent.faults(&modules, is_used));
            }
        }
    }
    let gone = absent.iter().zip(&are_used).filter(|(_, is_used)| !**is_used);
    faults.extend(
        gone.map(|(absent, _)| format!("ARCHITECTURE.md lists `{}`, which has no file", absent.room())),
    );
    if faults.is_empty() {
        let rooms = edges.len();
        let arrows = count(&edges);
        Ok(format!(
            "{rooms} rooms and {arrows} arrows are as ARCHITECTURE.md lists them, and no files use each other in a circle"
        ))
    } else {
        Err(faults.join("\n"))
    }
}

fn packages() -> Result<Vec<serde_json::Value>, String> {
    let output = cargo(["metadata", "--format-version", "1", "--no-deps"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(metadata["packages"].as_array().cloned().unwrap_or_default())
}

/// Returns the modules of the libraries and programs of a package, one set for each.
fn modules_of(package: &serde_json::Value) -> Result<Vec<Modules>, String> {
    let read = |file: &Path| fs::read_to_string(root().join(file)).ok();
    let mut found = Vec::new();
    for target in package["targets"].as_array().into_iter().flatten() {
        let is_checked = |kind: &serde_json::Value| {
            kind.as_str().is_some_and(|kind| ["lib", "proc-macro", "bin"].contains(&kind))
        };
        if target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(is_checked)) {
            let file = Path::new(target["src_path"].as_str().unwrap_or_default());
            let file = file.strip_prefix(root()).map_err(|error| error.to_string())?;
            found.push(modules::modules(file, &read)?);
        }
    }
    Ok(found)
}

fn count(edges: &Edges) -> usize {
    edges.values().map(BTreeMap::len).sum()
}

fn differences(table: &RoomTable, found: &Edges) -> Vec<String> {
    let mut differences = table.faults();
    for (room, uses) in found {
        let Some(declared) = table.uses(room) else {
            let uses: Vec<String> = uses.keys().map(|used| format!("`{used}`")).collect();
            let row = format!("| `{room}` | {} |", uses.join(", "));
            differences
                .push(format!("`{room}` is not in the table of ARCHITECTURE.md: add a row such as {row}"));
            continue;
        };
        for (used, place) in uses {
            if !declared.contains(used) {
                differences
                    .push(format!("{place}: `{room}` uses `{used}`, which ARCHITECTURE.md does not declare"));
            }
        }
        let unused = declared.iter().filter(|declared| !uses.contains_key(*declared));
        differences.extend(unused.map(|unused| {
            format!("ARCHITECTURE.md lets `{room}` use `{unused}`, and nothing there does: delete it")
        }));
    }
    let gone = table.rooms().filter(|room| !found.contains_key(*room));
    differences.extend(gone.map(|gone| format!("ARCHITECTURE.md lists `{gone}`, which does not exist")));
    differences
}

/// Returns the folder of each package by its name, which is its room.
fn folders(packages: &[serde_json::Value]) -> Result<BTreeMap<String, String>, String> {
    let mut folders = BTreeMap::new();
    for package in packages {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
        let name = package["name"].as_str().unwrap_or_default();
        let folder = folder.strip_prefix(root()).map_err(|error| error.to_string())?;
        let room =
            if folder.as_os_str().is_empty() { "src".to_owned() } else { folder.display().to_string() };
        folders.insert(name.to_owned(), room);
    }
    Ok(folders)
}

/// Returns the dependencies between packages according to Cargo, and those between modules according to the sources.
fn found(table: &RoomTable, packages: &[serde_json::Value]) -> Result<Edges, String> {
    let folders = folders(packages)?;
    let mut edges = Edges::new();
    for package in packages {
        let room = &folders[package["name"].as_str().unwrap_or_default()];
        if !package["publish"].is_null() {
            continue; // Tests, examples, the laboratory and tasks stand beside the building.
        }
        let uses = edges.entry(room.clone()).or_default();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let ours = dependency["name"].as_str().and_then(|name| folders.get(name));
            if let (Some(used), true) = (ours, dependency["kind"].is_null()) {
                uses.entry(used.clone()).or_insert_with(|| format!("{room}/Cargo.toml"));
            }
        }
        if table.has_modules(room) {
            edges.extend(modules(room)?);
        }
    }
    Ok(edges)
}

/// Returns the dependencies between the modules at the root of a package.
fn modules(package: &str) -> Result<Edges, String> {
    let source = root().join(package).join("src");
    let exports = uses::exports(&source.join("lib.rs"))?;
    let mut edges = Edges::new();
    let mut rooms = BTreeSet::new();
    for file in uses::files(&source)? {
        let Some(room) = file.module.first().filter(|name| *name != "main") else { continue };
        rooms.insert(room.clone());
        let uses = edges.entry(format!("{package}/{room}")).or_default();
        for used in file.uses().map_err(|error| format!("{}: {error}", file.path.display()))? {
            let used = exports.get(&used).cloned().unwrap_or(used);
            if used != *room {
                let place = file.path.strip_prefix(root()).unwrap_or(&file.path).display().to_string();
                uses.entry(format!("{package}/{used}")).or_insert(place);
            }
        }
    }
    // A name at the root that is not a module is an exported item.
    for uses in edges.values_mut() {
        uses.retain(|used, _| used.rsplit('/').next().is_some_and(|name| rooms.contains(name)));
    }
    Ok(edges)
}
