//! Comparison of the project's rooms with ARCHITECTURE.md: `cargo xtask rooms`.
//!
//! A room is a package or a module at the root of a package. The table of ARCHITECTURE.md lists each room with the rooms
//! that it may use. A room uses only rooms that stand above it, so the table cannot contain a cycle.

mod table;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use table::Table;
use xtask::run::{cargo, root};

/// The rooms that each room uses, with the first place of each use.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// Compares the rooms with the table of ARCHITECTURE.md, and describes how many there are.
///
/// # Errors
///
/// Returns every difference, one per line.
pub(crate) fn rooms() -> Result<String, String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).map_err(|error| error.to_string())?;
    let table = Table::parse(&text)?;
    let edges = found(&table)?;
    let differences = differences(&table, &edges);
    if differences.is_empty() {
        Ok(format!("{} rooms and {} arrows are as ARCHITECTURE.md lists them", edges.len(), count(&edges)))
    } else {
        Err(differences.join("\n"))
    }
}

fn count(edges: &Edges) -> usize {
    edges.values().map(BTreeMap::len).sum()
}

/// Returns the differences between the table and the code.
fn differences(table: &Table, found: &Edges) -> Vec<String> {
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

/// Returns the dependencies between packages according to Cargo, and those between modules according to the sources.
fn found(table: &Table) -> Result<Edges, String> {
    let output = cargo(["metadata", "--format-version", "1", "--no-deps"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let mut folders = BTreeMap::new();
    for package in &packages {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let folder = std::path::Path::new(manifest).parent().unwrap_or(std::path::Path::new(""));
        let name = package["name"].as_str().unwrap_or_default();
        let folder = folder.strip_prefix(root()).map_err(|error| error.to_string())?;
        let room =
            if folder.as_os_str().is_empty() { "src".to_owned() } else { folder.display().to_string() };
        folders.insert(name.to_owned(), room);
    }
    let mut edges = Edges::new();
    for package in &packages {
        let room = &folders[package["name"].as_str().unwrap_or_default()];
        if !package["publish"].is_null() {
            continue; // Tests, examples, experiments and tasks stand beside the building.
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
