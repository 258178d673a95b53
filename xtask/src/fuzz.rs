//! Millions of inputs for the bodies of the fuzz targets, each process within a gigabyte and each input within five seconds.

use std::fs;
use std::process::Command;

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;

use xtask::files;
use xtask::run::{cargo, target};

/// The inputs of the fuzz targets.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Arguments {
    /// Run this many inputs, over all targets
    #[arg(long, default_value_t = 10_000_000)]
    inputs: u64,

    /// Set the number of the first input; other numbers give other inputs
    #[arg(long, default_value_t = 0)]
    first: u64,
}

/// The targets with their shares of a thousand inputs: targets with faster inputs get more.
const SHARES: [(&str, u64); 7] = [
    ("document", 350),
    ("look_up", 300),
    ("measurements", 15),
    ("tuning_file", 25),
    ("options", 10),
    ("network", 200),
    ("schedule", 100),
];

/// The memory limit of a process, in KiB.
const MEMORY: u64 = 1 << 20;

/// Runs the bodies, and prints their results.
pub(crate) fn fuzz(arguments: &Arguments) -> Result<(), String> {
    let built = cargo(["build", "--release", "--quiet", "--package", "qtdec-fuzz-bodies"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the bodies of the fuzz targets cannot be built".to_owned());
    }
    let program = target().join("release/qtdec-fuzz-bodies");
    let folder = target().join("fuzz");
    files::folder(&folder)?;
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["target", "inputs", "panics", "slowest, µs", "its number"]);
    let mut failed = Vec::new();
    for (name, share) in SHARES {
        let file = folder.join(name);
        let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let mut run = Command::new("sh");
        run.args(["-c", &script]).arg(&program).arg(name).arg(arguments.first.to_string());
        run.arg((arguments.inputs * share / 1000).to_string()).arg(&file);
        let output = run.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        table.add_row(said.split_whitespace());
        if !output.status.success() {
            let number = fs::read_to_string(&file).unwrap_or_default();
            let said = String::from_utf8_lossy(&output.stderr);
            println!("{name}: {} at input {}\n{}", output.status, number.trim(), said.trim_end());
            failed.push(name);
        }
        println!("{}", said.trim_end());
    }
    println!("\n{table}");
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}
