//! How often claims about measured times are wrong, and what decisions cost at sizes that were withheld. `cargo xtask` has the
//! commands.

mod rates;
mod sizes;

use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::report;

/// Count how often claims about times are wrong
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Study {
    /// Simulate campaigns of measurements, and count how often what is claimed of them is wrong
    Rates(rates::Arguments),
    /// Withhold sizes of the archives, and compare ways to decide
    Sizes(sizes::Arguments),
}

/// Runs the command that the arguments of this process name.
pub fn run() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(match Study::parse() {
        Study::Rates(arguments) => rates::rates(&arguments),
        Study::Sizes(arguments) => sizes::sizes(arguments),
    })
}
