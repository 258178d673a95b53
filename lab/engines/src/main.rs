//! Real MPI libraries and SimGrid, compared with qtdec. `cargo xtask` has the commands.

mod closed_loop;
mod engines;
mod smpi;

use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::{held, report};
use xtask::packages::Machine;

/// Compare qtdec with real MPI libraries and SimGrid
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Comparison {
    /// Check tuning files with the real libraries, and the simulator with SimGrid
    Engines(engines::Arguments),
    /// Simulate calls with the choices of compiled functions, and write their times to `lab/engines/results/closed_loop.csv`
    ClosedLoop(Machine),
}

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(match Comparison::parse() {
        Comparison::Engines(arguments) => engines::engines(&arguments),
        Comparison::ClosedLoop(machine) => closed_loop::closed_loop(machine).map(held),
    })
}
