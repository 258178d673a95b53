//! What decisions and proofs cost. `cargo xtask` has the commands.

mod bench;
mod builds;
mod choices;
mod proofs;

use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::{held, report};

/// Measure what decisions and proofs cost
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Measurement {
    /// Build programs with decisions anew, and write what it costs
    Builds,
    /// Measure every form of a decision
    Bench(bench::Arguments),
    /// Count the instructions of decisions by the depth of their trees, and write the tables
    Depths,
    /// Count the instructions and branches of decisions, which must not grow
    Gate,
    /// Compare predicted choices with measured ones on the shipped archives
    Choices,
    /// Measure how the time of proofs grows with the number of ranks, and write the table of the guide
    Proofs,
    /// Compare the papers' form of the code with branches, and write its table
    Quadrants,
}

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(match Measurement::parse() {
        Measurement::Bench(arguments) => bench::bench(&arguments).map(held),
        Measurement::Builds => builds::builds().map(held),
        Measurement::Depths => bench::counted_depths(),
        Measurement::Gate => bench::gate(),
        Measurement::Choices => choices::choices().map(held),
        Measurement::Proofs => proofs::proofs().map(held),
        Measurement::Quadrants => bench::quadrants(),
    })
}
