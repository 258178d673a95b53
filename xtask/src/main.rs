//! What is done with the project: `cargo xtask test`, `cargo xtask numbers` and `cargo xtask bench`.

mod bench;
mod engines;
mod fuzz;
mod interrupted;
mod msrv;
mod numbers;
mod outcome;
mod packages;
mod rooms;
mod run;
mod snapshot;
mod test;
mod weka;

use std::process::ExitCode;

use clap::Parser;

use outcome::Outcome;

/// What is done with the project.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Run every check and test there is, and end in a line of counts
    Test(test::Arguments),
    /// Write every recorded output anew: transcripts, the guide, generated code, refusals
    Snapshot {
        /// Fail if an output changed
        #[arg(long)]
        check: bool,
    },
    /// Compare the uses between rooms with the table of ARCHITECTURE.md
    Rooms,
    /// Hold the tuning files that are written, and the check of those that are read, against the real libraries
    Engines(packages::Machine),
    /// Run the bodies of the fuzz targets on millions of inputs, in a release build
    Fuzz(fuzz::Arguments),
    /// Kill commands while they write, and let them run out of room
    Interrupted(interrupted::Arguments),
    /// Measure what maps cost the crates that use them
    Numbers {
        /// What to measure; everything, if nothing is named
        parts: Vec<numbers::Part>,
    },
    /// Measure every form of a decision beside the others
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Test(arguments) => test::test(arguments),
        Task::Snapshot { check } => snapshot::snapshot(check),
        Task::Rooms => rooms::rooms().map(|held| println!("{held}")),
        Task::Engines(machine) => engines::engines(machine),
        Task::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Task::Interrupted(arguments) => interrupted::interrupted(arguments).map(|outcome| {
            if let Outcome::Held(held) = outcome {
                println!("{held}");
            }
        }),
        Task::Numbers { parts } => numbers::numbers(&parts),
        Task::Bench(arguments) => bench::bench(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("\n{reason}");
            ExitCode::FAILURE
        }
    }
}
