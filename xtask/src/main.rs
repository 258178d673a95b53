//! What is done with the project: `cargo xtask test` and `cargo xtask numbers`.

mod msrv;
mod numbers;
mod run;
mod test;
mod weka;

use std::process::ExitCode;

use clap::Parser;

/// What is done with the project.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Run every check and test there is, and end in a line of counts
    Test,
    /// Measure what maps cost the crates that use them
    Numbers,
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Test => test::test(),
        Task::Numbers => numbers::numbers(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("\n{reason}");
            ExitCode::FAILURE
        }
    }
}
