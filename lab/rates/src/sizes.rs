//! Sizes that were not measured: whether fitted times decide better at communicator sizes that were left out.
//! `lab/results/unmeasured-sizes.md` has the table.

mod archives;
mod communicators;

use std::path::PathBuf;

use clap::Args;
use xtask::chapter::with_table;
use xtask::files;
use xtask::outcome::Outcome;
use xtask::run::root;

/// Options of the table.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Arguments {
    /// Rewrite the table of `lab/results/unmeasured-sizes.md`
    #[arg(long)]
    write: bool,
}

fn path() -> PathBuf {
    root().join("lab/results/unmeasured-sizes.md")
}

/// Compares the table of the page with the archives, or writes it.
pub(crate) fn sizes(arguments: Arguments) -> Result<Outcome, String> {
    let page = files::read(path())?;
    let table = communicators::table();
    println!("{table}");
    let found = with_table(&page, "communicators", &table)?;
    if arguments.write {
        files::write(path(), &found)?;
    }
    if !arguments.write && found != page {
        return Err(
            "the page has another table: run cargo xtask sizes --write, and look at the changes".to_owned()
        );
    }
    Ok(Outcome::Held("the table of unmeasured sizes".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    #[ignore = "a quarter of a minute without optimisation: `cargo xtask step \"sizes left out\"`"]
    fn the_page_has_the_table_of_the_communicators() {
        let (page, table) = (fs::read_to_string(path()).unwrap(), communicators::table());
        let expected = with_table(&page, "communicators", &table).unwrap();
        assert!(expected == page, "run cargo xtask sizes --write and look at the changes:\n{table}");
    }
}
