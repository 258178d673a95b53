//! The project's tasks: `cargo xtask test`, `cargo xtask numbers` and `cargo xtask bench`.

mod bench;
mod closed_loop;
mod engines;
mod fuzz;
mod interrupted;
mod msrv;
mod numbers;
mod outcome;
mod packages;
mod papers;
mod rooms;
mod run;
mod smpi;
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
    /// Hold what is written and read here against the real libraries, and the simulator against SimGrid
    Engines(engines::Arguments),
    /// Run the bodies of the fuzz targets on millions of inputs, in a release build
    Fuzz(fuzz::Arguments),
    /// Kill commands while they write, and let them run out of room
    Interrupted(interrupted::Arguments),
    /// Measure what maps cost the crates that use them
    Numbers {
        /// What to measure; everything, if nothing is named
        parts: Vec<numbers::Part>,
    },
    /// Simulate calls by what compiled functions choose for them, and write what that takes to `benches/closed_loop.csv`
    ClosedLoop(packages::Machine),
    /// Simulate the papers' experiments, and write their tables and figures next to the printed ones
    #[command(subcommand)]
    Papers(papers::Part),
    /// Measure every form of a decision beside the others
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Test(arguments) => test::test(arguments),
        Task::Snapshot { check } => snapshot::snapshot(check),
        Task::Rooms => rooms::rooms().map(|held| println!("{held}")),
        Task::Engines(arguments) => engines::engines(&arguments),
        Task::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Task::Interrupted(arguments) => interrupted::interrupted(arguments).map(|outcome| {
            if let Outcome::Held(held) = outcome {
                println!("{held}");
            }
        }),
        Task::Numbers { parts } => numbers::numbers(&parts),
        Task::ClosedLoop(machine) => closed_loop::closed_loop(machine),
        Task::Papers(part) => papers::papers(part),
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
