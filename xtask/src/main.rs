//! The project's tasks, as listed by `cargo xtask --help`.

mod ci;
mod crates;
mod msrv;
mod publish;
mod rsmpi;
mod snapshot;
mod steps;
mod weka;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::{held, report};
use xtask::run::program;
use xtask::watched::run;

/// Run tasks for the development of qtdec
#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
enum Task {
    /// Run what answers at once: format, crates, lints and unit tests
    Check,
    /// Run every step of CI, and print how many tests passed
    Ci,
    /// Run one step of CI
    Step(ci::One),
    /// Rewrite all recorded outputs: transcripts, the guide, generated code, error messages
    Snapshot {
        /// Fail if an output changed
        #[arg(long)]
        check: bool,
    },
    /// Check the packages, and pack and build each as `cargo publish` does, without uploading it
    Publish,
    /// Compare the public API with that of a release, and fail if the changes need a higher version
    Semver(publish::Semver),
    /// Check that the crates use each other only as listed in ARCHITECTURE.md
    Crates,
    /// Compare the public API of the libraries with its record in `xtask/api`
    #[command(disable_help_flag = true)]
    Api(Passed),
    /// Check tuning files with the real libraries
    #[command(disable_help_flag = true)]
    Engines(Passed),
    /// Compare predicted choices with measured ones on the shipped archives
    #[command(disable_help_flag = true)]
    Choices(Passed),
    /// Show the papers' tables and figures, simulate their experiments, and write the tables about them
    #[command(disable_help_flag = true)]
    Papers(Passed),
    /// Measure how the time of proofs grows with the number of ranks, and write its table
    #[command(disable_help_flag = true)]
    Proofs(Passed),
    /// Count the instructions of decisions by the depth of their trees, and write the tables
    #[command(disable_help_flag = true)]
    Depths(Passed),
    /// Compare the papers' form of the code with branches, and write its table
    #[command(disable_help_flag = true)]
    Quadrants(Passed),
    /// Simulate campaigns of measurements, and count how often what is claimed of them is wrong
    #[command(disable_help_flag = true)]
    Rates(Passed),
    /// Withhold sizes of the archives, and compare ways to decide and to choose what to measure
    #[command(disable_help_flag = true)]
    Sizes(Passed),
    /// Build programs with decisions anew, and write what it costs
    #[command(disable_help_flag = true)]
    Builds(Passed),
    /// Measure every form of a decision
    #[command(disable_help_flag = true)]
    Bench(Passed),
    /// Count the instructions and branches of decisions, which must not grow
    #[command(disable_help_flag = true)]
    Gate(Passed),
    /// Run a command on an emulated cluster with a real MPI library, on Linux as root
    #[command(disable_help_flag = true)]
    Cluster(Passed),
}

/// Arguments for another program of the workspace, which is built first.
#[derive(clap::Args)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<OsString>,
}

impl Passed {
    /// Runs a command of a program, which may have several.
    fn command(&self, name: &str, command: Option<&str>) -> Result<xtask::outcome::Outcome, String> {
        run(program(name)?.args(command).args(&self.arguments))
    }

    /// Runs another program with this terminal, and returns its exit code.
    fn program(&self, name: &str) -> ExitCode {
        let status = program(name).and_then(|mut program| {
            program.args(&self.arguments).status().map_err(|error| format!("{name}: {error}"))
        });
        match status {
            Ok(status) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
            Err(reason) => report(Err(reason)),
        }
    }
}

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(match Task::parse() {
        Task::Check => ci::check().map(held),
        Task::Ci => ci::ci().map(held),
        Task::Step(one) => return ci::step(&one),
        Task::Snapshot { check } => snapshot::snapshot(check).map(held),
        Task::Publish => publish::publish().map(held),
        Task::Semver(arguments) => publish::semver(&arguments).map(held),
        Task::Crates => crates::crates().map(xtask::outcome::Outcome::Held),
        Task::Api(passed) => passed.command("qtdec-api", None),
        Task::Engines(passed) => passed.command(steps::ENGINES, None),
        Task::Choices(passed) => passed.command(steps::BENCH, Some("choices")),
        Task::Papers(passed) => return passed.program("qtdec-papers"),
        Task::Proofs(passed) => passed.command(steps::BENCH, Some("proofs")),
        Task::Depths(passed) => passed.command(steps::BENCH, Some("depths")),
        Task::Quadrants(passed) => passed.command(steps::BENCH, Some("quadrants")),
        Task::Rates(passed) => passed.command(steps::RATES, Some("rates")),
        Task::Sizes(passed) => passed.command(steps::RATES, Some("sizes")),
        Task::Builds(passed) => passed.command(steps::BENCH, Some("builds")),
        Task::Bench(passed) => passed.command(steps::BENCH, Some("bench")),
        Task::Gate(passed) => passed.command(steps::BENCH, Some("gate")),
        Task::Cluster(passed) => return passed.program("qtdec-cluster"),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use xtask::run::cargo;

    /// The first task waits for all of them.
    #[test]
    fn few_crates_are_compiled() {
        let tree = ["tree", "--package", "xtask", "--edges", "normal,build", "--prefix", "none", "--offline"];
        let output = cargo(tree).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let crates: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(crates.contains("xtask") && crates.len() < 25, "{crates:?}");
    }
}
