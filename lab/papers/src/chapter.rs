//! The tables in the guide's chapters about the papers, and in the pages of further results.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use xtask::chapter::with_table;
use xtask::files;
use xtask::run::root;

use crate::item::Shown;
use crate::items;

/// A table of a page: its name there, the item, the number of the table, and the columns that are shown, or all.
type Part = (&'static str, &'static str, usize, &'static [&'static str]);

/// The columns about trees of limited depth.
const TREES: &[&str] =
    &["max depth", "mean depth", "mean penalty %", "max penalty %", "median penalty %", "leaves", "lines"];

const MEMORY: &[&str] = &[
    "max depth",
    "nodes",
    "memory, bytes",
    "bytes in nodes of 44",
    "bytes in nodes of 36",
    "methods",
    "conditions",
    "nodes visited",
];

const QUADTREES: &[Part] =
    &[("2006-table-3", "2006-table-3", 0, TREES), ("2006-table-4", "2006-table-4", 0, TREES)];

const OTHERS: &[Part] =
    &[("multirail-largest", "multirail-table-1", 0, &[]), ("intra-errors", "2004-figure-5", 1, &[])];

const FURTHER: &[Part] = &[
    ("2006-table-4-memory", "2006-table-4", 0, MEMORY),
    ("2006-figure-4", "2006-figure-4", 1, &[]),
    ("2006-figure-5", "2006-figure-5", 2, &[]),
    ("2006-smoothing", "2006-smoothing", 0, &[]),
    ("2006-rules", "2006-rules", 0, &[]),
    ("2007-table-1", "2007-table-1", 0, TREES),
    ("2007-table-1-spike", "2007-section-4.2", 0, TREES),
    ("2007-without-spike", "2007-section-4.2", 1, &[]),
    ("2007-table-2", "2007-table-2", 0, TREES),
    ("2007-table-3", "2007-table-3", 0, TREES),
    ("2007-table-3-memory", "2007-table-3", 0, MEMORY),
    ("2007-figure-5", "2007-figure-5", 0, &[]),
    ("winners", "2007-section-4.1", 0, &[]),
    ("2007-open-mpi", "2007-section-4.5", 0, &[]),
    ("c45-sweep", "c45-table-3", 0, &["-m", "-c", "before pruning", "after pruning", "penalty %"]),
    ("combined", "c45-table-5", 0, &[]),
    ("multirail-figure-6", "multirail-figure-6", 0, &[]),
    ("multirail-percent", "multirail-percent", 0, &[]),
    ("multirail-figure-7", "multirail-figure-7", 0, &[]),
    ("multirail-two-clusters", "multirail-table-1", 1, &[]),
    ("intra-figure-5", "2004-figure-5", 0, &[]),
    ("intra-figure-7", "2004-figure-9", 1, &[]),
    ("intra-figure-10", "2004-figure-10", 0, &[]),
];

const ASSUMPTIONS: &[Part] = &[
    ("refits", "2007-refits", 1, &[]),
    ("assumptions", "2007-assumptions", 0, &[]),
    ("c45-held-out", "c45-held-out", 0, &["archive", "tree", "leaves", "points", "to the exact tree"]),
    ("multirail-winners", "multirail-figure-7", 1, &[]),
];

/// The pages with their tables.
const PAGES: [(&str, &[Part]); 4] = [
    ("guide/src/papers-quadtree.md", QUADTREES),
    ("guide/src/papers-others.md", OTHERS),
    ("lab/results/papers-tables.md", FURTHER),
    ("lab/results/papers-assumptions.md", ASSUMPTIONS),
];

/// Rewrites the tables of the pages.
pub(crate) fn write() -> Result<(), String> {
    for (page, parts) in PAGES {
        let text = files::read(root().join(page))?;
        files::write(root().join(page), with_tables(&text, parts)?)?;
    }
    Ok(())
}

/// Returns a page with each table between the lines that name it.
fn with_tables(page: &str, parts: &[Part]) -> Result<String, String> {
    let mut page = page.to_owned();
    let mut made: BTreeMap<&str, Shown> = BTreeMap::new();
    for (name, id, number, columns) in parts {
        let shown = match made.entry(id) {
            Entry::Occupied(shown) => shown.into_mut(),
            Entry::Vacant(place) => place.insert((items::find(id)?.make)()?),
        };
        let table = shown.tables.get(*number).ok_or_else(|| format!("{id} has no table {number}"))?;
        let table = if columns.is_empty() { table.clone() } else { table.only(columns) };
        page = with_table(&page, name, &table.markdown())?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_pages_have_the_tables_of_the_items() {
        for (page, parts) in PAGES {
            let text = fs::read_to_string(root().join(page)).unwrap();
            assert!(
                with_tables(&text, parts).unwrap() == text,
                "{page}: run cargo xtask papers tables and look at the changes"
            );
        }
    }
}
