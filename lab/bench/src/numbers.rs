//! The cost of maps for the crates that use them: the figures of the README, measured on this machine.

mod attribute;
mod choices;
mod consumer;
mod grids;
mod growth;
mod layouts;
mod smallest;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap};
use wait4::Wait4;

use xtask::run::target;

/// A part that can be measured separately. The largest maps come last, because the peak memory that the system reports for a
/// command is at least that of this program when it started the command.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Part {
    /// The time to find the smallest tree
    Smallest,
    /// The time and memory of the simulator and the formulas on large grids
    Grids,
    /// The time of the compiler and the editor for each layout
    Layouts,
    /// A clean build of a crate that uses the attribute, and the cost of its maps
    Attribute,
    /// The cost of choices by model on the archives of Fugaku and Polaris
    Choices,
    /// The growth of the quadtree encoder's time with the size of the map
    Growth,
}

pub(crate) fn numbers(parts: &[Part]) -> Result<(), String> {
    let folder = target().join("numbers");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for part in if parts.is_empty() { Part::value_variants() } else { parts } {
        let table = match part {
            Part::Attribute => attribute::attribute(&folder),
            Part::Smallest => smallest::smallest(&folder),
            Part::Grids => grids::grids(),
            Part::Layouts => layouts::layouts(&folder),
            Part::Choices => choices::choices(&folder),
            Part::Growth => growth::growth(),
        };
        println!("{}\n", table?);
    }
    Ok(())
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    table
}

fn leaves(map: &DecisionMap) -> Result<usize, String> {
    let tree = encode::encode(map, &Quadtree::default(), Borders::Floor);
    tree.map(|tree| tree.root().leaves()).map_err(|problem| problem.to_string())
}

/// Returns the duration of a command, and the memory of its largest process.
fn timed(command: &mut Command) -> Result<(Duration, u64), String> {
    let start = Instant::now();
    let used = command.spawn().and_then(|mut child| child.wait4()).map_err(|error| error.to_string())?;
    if used.status.success() {
        Ok((start.elapsed(), used.rusage.maxrss))
    } else {
        Err(format!("{command:?} failed"))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
