//! Sizes that were not measured: what the points that `qtdec-mpi plan --refine` proposes are worth, and whether fitted times decide better
//! at communicator sizes that were left out. `lab/results/unmeasured-sizes.md` has the tables.

mod archives;
mod communicators;
mod proposals;

use std::path::PathBuf;

use clap::Args;
use xtask::chapter::with_table;
use xtask::files;
use xtask::outcome::Outcome;
use xtask::run::root;

/// Options of the tables.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Arguments {
    /// Rewrite the tables of `lab/results/unmeasured-sizes.md`
    #[arg(long)]
    write: bool,
}

fn path() -> PathBuf {
    root().join("lab/results/unmeasured-sizes.md")
}

/// Compares the tables of the page with the archives, or writes them.
pub(crate) fn sizes(arguments: Arguments) -> Result<Outcome, String> {
    let page = files::read(path())?;
    let proposals = proposals::table();
    let communicators = communicators::table();
    println!("{}\n{communicators}", proposals.table);
    let found = with_table(&page, "next-points", &proposals.table)?;
    let found = with_table(&found, "communicators", &communicators)?;
    if arguments.write {
        files::write(path(), &found)?;
    }
    if !proposals.lost.is_empty() {
        return Err(format!(
            "half of the grid loses more than two thirds at random: {}",
            proposals.lost.join(", ")
        ));
    }
    if !arguments.write && found != page {
        return Err(
            "the page has other tables: run cargo xtask sizes --write, and look at the changes".to_owned()
        );
    }
    Ok(Outcome::Held("two tables of unmeasured sizes".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn half_of_the_grid_that_is_proposed_loses_no_more_than_two_thirds_at_random() {
        let found = proposals::table();
        assert!(found.lost.is_empty(), "{:?}\n{}", found.lost, found.table);
        let page = fs::read_to_string(path()).unwrap();
        let expected = with_table(&page, "next-points", &found.table).unwrap();
        assert!(expected == page, "run cargo xtask sizes --write and look at the changes:\n{}", found.table);
    }

    #[test]
    #[ignore = "a quarter of a minute without optimisation: `cargo xtask step \"sizes left out\"`"]
    fn the_page_has_the_table_of_the_communicators() {
        let (page, table) = (fs::read_to_string(path()).unwrap(), communicators::table());
        let expected = with_table(&page, "communicators", &table).unwrap();
        assert!(expected == page, "run cargo xtask sizes --write and look at the changes:\n{table}");
    }
}
