//! The tables in the guide's chapter about the papers.

use std::fs;
use std::path::PathBuf;

use super::{broadcast_tables, broadcasts, intra_cluster, tables};
use xtask::chapter::with_table;
use xtask::run::root;

fn path() -> PathBuf {
    root().join("guide/src/papers-rebuilt.md")
}

/// Rewrites the tables of the chapter.
pub(super) fn write() -> Result<(), String> {
    let chapter = fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    fs::write(path(), with_tables(&chapter)?).map_err(|error| format!("{}: {error}", path().display()))
}

/// Returns the chapter with each table between the lines that name it.
fn with_tables(chapter: &str) -> Result<String, String> {
    let mut chapter = chapter.to_owned();
    let mut tables = tables::tables()?;
    tables.extend(broadcast_tables::tables(&broadcasts::read()?)?);
    tables.extend(intra_cluster::tables()?);
    for (name, table) in tables {
        chapter = with_table(&chapter, name, &table)?;
    }
    Ok(chapter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_has_the_tables_of_the_data() {
        let chapter = fs::read_to_string(path()).unwrap();
        assert!(
            with_tables(&chapter).unwrap() == chapter,
            "run cargo xtask papers tables and look at the changes"
        );
    }
}
