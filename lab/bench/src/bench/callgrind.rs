//! Counting instructions and branches.

use std::path::Path;
use std::process::Command;

use xtask::files;

use super::forms::Form;
use super::measured::Count;
use super::program::{Program, crate_name};
use super::queries::{COUNT, Queries};

/// Counts instructions and branches in a form and in what it calls.
pub(super) fn count(program: &Program, form: &Form, requested: &Queries) -> Result<Count, String> {
    let file = program.folder().join("callgrind.out");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--branch-sim=yes", "--quiet"])
        .arg(format!("--toggle-collect={}::decide", crate_name(form)))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .args(program.asking(form, requested)?)
        .status()
        .map_err(|error| error.to_string())?;
    if !status.success() {
        return Err("valgrind failed".to_owned());
    }
    let total = totals(&file)?;
    let each = |event: &str| total(event) / COUNT as f64;
    Ok(Count { instructions: each("Ir"), branches: each("Bc"), mispredictions: each("Bcm") + each("Bim") })
}

/// Returns the number of instructions in a file of callgrind.
pub(super) fn instructions(file: &Path) -> Result<f64, String> {
    Ok(totals(file)?("Ir"))
}

/// Reads the total of each event.
fn totals(file: &Path) -> Result<impl Fn(&str) -> f64, String> {
    let text = files::read(file)?;
    let words = |name: &str| -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect()
    };
    let (events, totals) = (words("events: "), words("totals: "));
    let total = move |event: &str| {
        let position = events.iter().position(|known| known == event);
        position.and_then(|position| totals.get(position)?.parse().ok()).unwrap_or(0.0)
    };
    if total("Ir") > 0.0 { Ok(total) } else { Err("callgrind counted nothing".to_owned()) }
}
