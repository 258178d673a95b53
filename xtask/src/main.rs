//! The project's tasks, as listed by `cargo xtask --help`.

mod api;
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
mod publish;
mod readme;
mod rooms;
mod run;
mod smpi;
mod snapshot;
mod test;
mod weka;

use std::process::ExitCode;

use clap::Parser;

use outcome::Outcome;

/// Run tasks for the development of qtdec
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Run all checks and tests, and print how many passed
    Test(test::Arguments),
    /// Rewrite all recorded outputs: transcripts, the guide, generated code, error messages
    Snapshot {
        /// Fail if an output changed
        #[arg(long)]
        check: bool,
    },
    /// Compare the public API of the libraries with its record in `xtask/api`
    Api(api::Arguments),
    /// Check the packages, and pack and build each as `cargo publish` does, without uploading it
    Publish,
    /// Compare the public API with that of a release, and fail if the changes need a higher version
    Semver(publish::Semver),
    /// Check that the rooms use each other only as listed in ARCHITECTURE.md
    Rooms,
    /// Run the commands of the READMEs as they are printed, in a fresh clone
    Readme(packages::Machine),
    /// Check tuning files with the real libraries, and the simulator with SimGrid
    Engines(engines::Arguments),
    /// Run the fuzz targets on millions of inputs, in a release build
    Fuzz(fuzz::Arguments),
    /// Kill commands while they write, and let them run out of disk space
    Interrupted(interrupted::Arguments),
    /// Measure the cost of maps for the crates that use them
    Numbers {
        /// Measure only these parts [default: all]
        parts: Vec<numbers::Part>,
    },
    /// Simulate calls with the choices of compiled functions, and write their times to `benches/closed_loop.csv`
    ClosedLoop(packages::Machine),
    /// Simulate the papers' experiments, and write the guide's tables
    #[command(subcommand)]
    Papers(papers::Part),
    /// Measure every form of a decision
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Test(arguments) => test::test(arguments),
        Task::Snapshot { check } => snapshot::snapshot(check),
        Task::Api(arguments) => api::api(arguments),
        Task::Publish => publish::publish(),
        Task::Semver(arguments) => publish::semver(&arguments),
        Task::Rooms => rooms::rooms().map(|held| println!("{held}")),
        Task::Readme(machine) => readme::check(machine).map(print),
        Task::Engines(arguments) => engines::engines(&arguments),
        Task::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Task::Interrupted(arguments) => interrupted::interrupted(arguments).map(print),
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

/// Prints the result of a single check.
fn print(outcome: Outcome) {
    match outcome {
        Outcome::Held(held) => println!("{held}"),
        Outcome::Skipped(why) => println!("skipped: {why}"),
    }
}
