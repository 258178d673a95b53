//! Comparison of the packages with ARCHITECTURE.md: `cargo xtask crates`.
//!
//! The table of ARCHITECTURE.md lists the folder of each published crate with those that it may use. A crate uses only crates that stand above
//! it, so dependencies point one way.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use xtask::files;
use xtask::run::{cargo, printed, root};

/// The head of the table.
const HEAD: &str = "| crate | uses | what lives there |";

/// A crate, and those that it uses.
type Crate = (String, BTreeSet<String>);

/// Compares the packages with the table, and describes how many there are.
pub(crate) fn crates() -> Result<String, String> {
    let listed = listed(&files::read(root().join("ARCHITECTURE.md"))?)?;
    let found = found()?;
    let faults = faults(&listed, &found);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    Ok(format!("{} crates use each other as ARCHITECTURE.md lists them", found.len()))
}

/// Reads the rows `` | `folder`, … | `used`, `used` | … | `` of the table.
fn listed(text: &str) -> Result<Vec<Crate>, String> {
    let mut lines = text.lines().skip_while(|line| *line != HEAD);
    lines.next().ok_or_else(|| format!("ARCHITECTURE.md has no table with the head `{HEAD}`"))?;
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    let row = |row: &str| {
        let mut cells =
            row.split('|').skip(1).map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned));
        Some((cells.next()?.next()?, cells.next()?.collect()))
    };
    Ok(rows.filter_map(row).collect())
}

/// Returns the published packages by their folders, with the dependencies that Cargo knows.
fn found() -> Result<Vec<Crate>, String> {
    let text = printed(&mut cargo(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    // Tests, examples, the laboratory and tasks stand beside the building.
    let published = packages.filter(|package| package["publish"].is_null());
    Ok(published.map(|package| (folder(&package["manifest_path"]), uses(package))).collect())
}

/// Returns the folders of the packages of the workspace on which a package depends.
fn uses(package: &Value) -> BTreeSet<String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let own =
        dependencies.filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string());
    own.map(|dependency| folder(&dependency["path"])).collect()
}

/// Returns a folder, or that of a manifest, as the table names it.
fn folder(path: &Value) -> String {
    let path = Path::new(path.as_str().unwrap_or_default());
    let folder = if path.ends_with("Cargo.toml") { path.parent().unwrap_or(path) } else { path };
    let folder = folder.strip_prefix(root()).unwrap_or(folder);
    if folder.as_os_str().is_empty() { "src".to_owned() } else { folder.display().to_string() }
}

/// Returns what differs, and the crates that use one which does not stand above them.
fn faults(listed: &[Crate], found: &[Crate]) -> Vec<String> {
    let mut faults = Vec::new();
    for (folder, uses) in found.iter().filter(|one| !listed.contains(one)) {
        let uses: Vec<String> = uses.iter().map(|used| format!("`{used}`")).collect();
        faults.push(format!("ARCHITECTURE.md lacks the row | `{folder}` | {} |", uses.join(", ")));
    }
    for (position, one) in listed.iter().enumerate() {
        let (folder, uses) = one;
        if !found.contains(one) {
            faults.push(format!("ARCHITECTURE.md has a row of `{folder}`, which is not what Cargo finds"));
        }
        let above = &listed[..position];
        let below = uses.iter().filter(|used| !above.iter().any(|(other, _)| other == *used));
        faults.extend(
            below.map(|used| format!("`{folder}` uses `{used}`, which is not above it in the table")),
        );
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::{HEAD, faults, listed};

    #[test]
    fn rows_that_differ_and_arrows_up_are_faults() {
        let [table, other] = ["`a`, `c`", "`a`"].map(|used| {
            listed(&format!(
                "{HEAD}\n|---|---|---|\n| `a` | – | `x` |\n| `b` | {used} | |\n| `c` | `c` | |\n"
            ))
            .unwrap()
        });
        assert_eq!(faults(&table, &table).len(), 2);
        assert!(faults(&table, &other).iter().any(|fault| fault.ends_with("lacks the row | `b` | `a` |")));
    }
}
