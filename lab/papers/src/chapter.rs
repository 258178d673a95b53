//! The tables in the guide's chapter about the papers.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::PathBuf;

use xtask::chapter::with_table;
use xtask::run::root;

use crate::item::Shown;
use crate::items;

/// A table of the chapter: its name there, the item, the number of the table, and the columns that are shown, or all.
type Part = (&'static str, &'static str, usize, &'static [&'static str]);

/// The columns about trees of limited depth.
const TREES: &[&str] =
    &["max depth", "mean depth", "mean penalty %", "max penalty %", "median penalty %", "leaves", "lines"];

const MEMORY: &[&str] = &["max depth", "nodes", "memory, bytes", "methods", "conditions", "nodes visited"];

const PARTS: &[Part] = &[
    ("2006-table-3", "2006-table-3", 0, TREES),
    ("2006-table-4", "2006-table-4", 0, TREES),
    ("2006-table-4-memory", "2006-table-4", 0, MEMORY),
    ("2006-figure-4", "2006-figure-4", 1, &[]),
    ("2007-table-1", "2007-table-1", 0, TREES),
    ("2007-table-1-spike", "2007-section-4.2", 0, TREES),
    ("2007-without-spike", "2007-section-4.2", 1, &[]),
    ("2007-table-2", "2007-table-2", 0, TREES),
    ("2007-table-3", "2007-table-3", 0, TREES),
    ("2007-table-3-memory", "2007-table-3", 0, MEMORY),
    ("2007-figure-5", "2007-figure-5", 0, &[]),
    ("2007-open-mpi", "2007-section-4.5", 0, &[]),
    ("fill", "2007-fills", 0, &[]),
    ("refits", "2007-refits", 1, &[]),
    ("assumptions", "2007-assumptions", 0, &[]),
    ("winners", "2007-section-4.1", 0, &[]),
    ("c45-sweep", "c45-table-3", 0, &["-m", "-c", "before pruning", "after pruning", "penalty %"]),
    ("combined", "c45-table-5", 0, &[]),
    ("c45-held-out", "c45-held-out", 0, &["archive", "tree", "leaves", "points", "to the exact tree"]),
    ("multirail-largest", "multirail-table-1", 0, &[]),
    ("multirail-figure-6", "multirail-figure-6", 0, &[]),
    ("multirail-figure-7", "multirail-figure-7", 0, &[]),
    ("multirail-two-clusters", "multirail-table-1", 1, &[]),
    ("multirail-winners", "multirail-figure-7", 1, &[]),
    ("intra-errors", "2004-figure-5", 1, &[]),
    ("intra-figure-5", "2004-figure-5", 0, &[]),
    ("intra-figure-7", "2004-figure-9", 1, &[]),
    ("intra-figure-10", "2004-figure-10", 0, &[]),
];

fn path() -> PathBuf {
    root().join("guide/src/papers-rebuilt.md")
}

/// Rewrites the tables of the chapter.
pub(crate) fn write() -> Result<(), String> {
    let chapter = fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    fs::write(path(), with_tables(&chapter)?).map_err(|error| format!("{}: {error}", path().display()))
}

/// Returns the chapter with each table between the lines that name it.
fn with_tables(chapter: &str) -> Result<String, String> {
    let mut chapter = chapter.to_owned();
    let mut made: BTreeMap<&str, Shown> = BTreeMap::new();
    for (name, id, number, columns) in PARTS {
        let shown = match made.entry(id) {
            Entry::Occupied(shown) => shown.into_mut(),
            Entry::Vacant(place) => place.insert((items::find(id)?.make)()?),
        };
        let table = shown.tables.get(*number).ok_or_else(|| format!("{id} has no table {number}"))?;
        let table = if columns.is_empty() { table.clone() } else { table.only(columns) };
        chapter = with_table(&chapter, name, &table.markdown())?;
    }
    Ok(chapter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_has_the_tables_of_the_items() {
        let chapter = fs::read_to_string(path()).unwrap();
        assert!(
            with_tables(&chapter).unwrap() == chapter,
            "run cargo xtask papers tables and look at the changes"
        );
    }
}
