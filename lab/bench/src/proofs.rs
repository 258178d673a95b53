//! The growth of the time of proofs, in `lab/results/proofs.md`.
//!
//! The times are measured by an optimised example of `qtdec-mpi-schedule`. The table has their ratios within one run, which hardly depend on
//! the machine.

use xtask::chapter::with_table;
use xtask::files;
use xtask::run::{cargo, printed, root};

/// Measures, and rewrites the table.
pub(crate) fn proofs() -> Result<(), String> {
    let path = root().join("lab/results/proofs.md");
    let page = files::read(&path)?;
    // A page without the place of the table is refused before anything is measured.
    with_table(&page, TABLE, "")?;
    let measure = ["run", "--quiet", "--release", "--package", "qtdec-mpi-schedule", "--example", "proofs"];
    files::write(&path, with_table(&page, TABLE, &printed(&mut cargo(measure))?)?)
}

/// The name of the table.
const TABLE: &str = "proofs";
