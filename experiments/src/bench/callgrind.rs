//! Counting instructions and branches.

use std::fs;
use std::process::Command;

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
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    read(&text).ok_or_else(|| "callgrind counted nothing".to_owned())
}

fn read(text: &str) -> Option<Count> {
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let events: Vec<&str> = line("events: ")?.split_whitespace().collect();
    let totals: Vec<f64> =
        line("totals: ")?.split_whitespace().map(|total| total.parse().unwrap_or(0.0)).collect();
    let each = |event: &str| {
        let position = events.iter().position(|known| *known == event);
        position.and_then(|position| totals.get(position)).unwrap_or(&0.0) / COUNT as f64
    };
    let count =
        Count { instructions: each("Ir"), branches: each("Bc"), mispredictions: each("Bcm") + each("Bim") };
    (count.instructions > 0.0).then_some(count)
}
