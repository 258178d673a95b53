//! The growth of the time of proofs, in `lab/results/proofs.md`.
//!
//! The times are measured by an optimised example of `qtdec-mpi-schedule`. The table has their ratios within one run, which hardly depend on
//! the machine.

use std::fs;

use xtask::chapter::with_table;
use xtask::run::{cargo, root};

/// Measures, and rewrites the table.
pub(crate) fn proofs() -> Result<(), String> {
    let path = root().join("lab/results/proofs.md");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(&path).map_err(failed)?;
    // A page without the place of the table is refused before anything is measured.
    with_table(&page, TABLE, "")?;
    let measure = ["run", "--quiet", "--release", "--package", "qtdec-mpi-schedule", "--example", "proofs"];
    let output = cargo(measure).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("the example proofs: {}", String::from_utf8_lossy(&output.stderr)));
    }
    fs::write(&path, with_table(&page, TABLE, &String::from_utf8_lossy(&output.stdout))?).map_err(failed)
}

/// The name of the table.
const TABLE: &str = "proofs";
