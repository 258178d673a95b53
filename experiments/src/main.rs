//! The project's experiments: comparisons with papers, real libraries and other simulators, and benchmarks. `cargo xtask` has
//! them as commands.

mod bench;
mod closed_loop;
mod engines;
mod interrupted;
mod numbers;
mod proofs;
mod rates;
mod sizes;
mod smpi;

use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::{held, report};
use xtask::packages::Machine;

/// Run experiments with qtdec
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Experiment {
    /// Check tuning files with the real libraries, and the simulator with SimGrid
    Engines(engines::Arguments),
    /// Kill commands while they write, and let them run out of disk space
    Interrupted(interrupted::Arguments),
    /// Measure the cost of maps for the crates that use them
    Numbers {
        /// Measure only these parts [default: all]
        parts: Vec<numbers::Part>,
    },
    /// Simulate calls with the choices of compiled functions, and write their times to `benches/closed_loop.csv`
    ClosedLoop(Machine),
    /// Measure how the time of proofs grows with the number of ranks, and write the table of the guide
    Proofs,
    /// Simulate campaigns of measurements, and count how often what is claimed of them is wrong
    Rates(rates::Arguments),
    /// Withhold sizes of the archives, and compare ways to decide and to choose what to measure
    Sizes(sizes::Arguments),
    /// Measure every form of a decision
    Bench(bench::Arguments),
    /// Count the instructions and branches of decisions, which must not grow
    Gate(Machine),
}

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(match Experiment::parse() {
        Experiment::Engines(arguments) => engines::engines(&arguments),
        Experiment::Interrupted(arguments) => interrupted::interrupted(arguments),
        Experiment::Numbers { parts } => numbers::numbers(&parts).map(held),
        Experiment::ClosedLoop(machine) => closed_loop::closed_loop(machine).map(held),
        Experiment::Proofs => proofs::proofs().map(held),
        Experiment::Rates(arguments) => rates::rates(&arguments),
        Experiment::Sizes(arguments) => sizes::sizes(arguments),
        Experiment::Bench(arguments) => bench::bench(&arguments).map(held),
        Experiment::Gate(machine) => bench::gate(machine),
    })
}
