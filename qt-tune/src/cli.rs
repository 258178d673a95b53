//! The `qtdec` command, with one file per subcommand.

mod c45;
mod campaign;
mod check;
mod combine;
mod command_line;
mod compare;
mod compare_encoders;
mod completions;
mod decide;
mod decision_time;
mod demo;
mod destination;
mod diff;
mod emit;
mod encode;
mod folder;
mod gain;
mod help;
mod hold_out;
mod import;
mod input;
mod lacking;
mod leave_out;
mod man;
mod map;
mod measure;
mod model;
mod moved;
mod mpi_build;
mod network;
mod option_values;
mod output;
mod packed;
mod placeholder;
mod plan;
mod plane;
mod plot;
mod predict;
mod predicting;
mod progress;
mod race;
mod race_next;
mod read;
mod reading;
mod recommend;
mod replace;
mod replay;
mod report;
mod reports;
mod schedule;
#[cfg(unix)]
mod signals;
mod simulate;
mod sizes;
#[cfg(test)]
mod slots;
mod stats;
mod subject;
mod sweep;
mod temporary;
mod time;
mod times;
mod tune;
mod tuning_file;
mod verify;
mod weigh;

use qtdec_core::{OptionFaults, Problem, Syntax, visible};
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

/// The command line of `qtdec`.
#[derive(Debug, Parser)]
#[command(name = "qtdec", version, arg_required_else_help = true, max_term_width = 100)]
#[command(about = "Turn benchmark results into decision functions, and into tuning files of MPI libraries")]
#[command(after_help = "Examples:\n  qtdec demo\n  qtdec tune results/ --library open-mpi -o tuned")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Arguments),
    Plan(Box<plan::Arguments>),
    Race(Box<race::Arguments>),
    Replay(replay::Arguments),
    Tune(Box<tune::Arguments>),
    Read(Box<read::Arguments>),
    Map(Box<map::Arguments>),
    Import(import::Arguments),
    Combine(combine::Arguments),
    Weigh(weigh::Arguments),
    Network(network::Arguments),
    Predict(Box<predict::Arguments>),
    Model(Box<model::Arguments>),
    Simulate(Box<simulate::Arguments>),
    MpiBuild(mpi_build::Arguments),
    Encode(encode::Arguments),
    Stats(stats::Arguments),
    Sweep(Box<sweep::Arguments>),
    CompareEncoders(Box<compare_encoders::Arguments>),
    C45(c45::Arguments),
    Compare(compare::Arguments),
    Diff(diff::Arguments),
    Plot(Box<plot::Arguments>),
    Report(Box<report::Arguments>),
    Schedule(Box<schedule::Arguments>),
    Decide(Box<decide::Arguments>),
    Time(time::Arguments),
    Emit(Box<emit::Arguments>),
    Check(check::Arguments),
    Verify(Box<verify::Arguments>),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// The reason why a command failed.
#[derive(Debug)]
enum Failure {
    /// The input is invalid: exit code 1.
    Input(Vec<String>),
    /// The answer to a question is no, with an explanation: exit code 3.
    Negative(Vec<String>),
    /// The command line is invalid: exit code 2.
    Usage(String),
    /// The reader of the output has closed it.
    Closed,
}

impl Failure {
    /// Returns the error of invalid options, as they appear on a command line.
    fn options(faults: &OptionFaults) -> Self {
        Self::Usage(faults.render(Syntax::Command))
    }
}

/// Runs the command given on the process's command line.
pub fn run() -> ExitCode {
    let parsed = help::cli().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let command = match parsed {
        Ok(cli) => cli.command,
        Err(error) => {
            // Only a word that is no option can be one that moved: values may look like options.
            let moved = error.use_stderr().then(|| moved::advice(std::env::args_os().skip(1))).flatten();
            match moved {
                Some(moved) => usage(&moved).exit(),
                None => return print_parse_error(&error),
            }
        }
    };
    let done = match command {
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Race(arguments) => race::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Read(arguments) => read::run(&arguments),
        Command::Map(arguments) => map::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Combine(arguments) => combine::run(&arguments),
        Command::Weigh(arguments) => weigh::run(&arguments),
        Command::Network(arguments) => network::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Model(arguments) => model::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::MpiBuild(arguments) => mpi_build::run(&arguments),
        Command::Encode(arguments) => encode::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::CompareEncoders(arguments) => compare_encoders::run(&arguments),
        Command::C45(arguments) => c45::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Schedule(arguments) => schedule::run(&arguments),
        Command::Decide(arguments) => decide::run(&arguments),
        Command::Time(arguments) => time::run(&arguments),
        Command::Emit(arguments) => emit::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match done {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Input(reports)) => report_errors(&reports, 1),
        Err(Failure::Negative(reports)) => report_errors(&reports, 3),
        Err(Failure::Usage(message)) => usage(&message).exit(),
    }
}

/// Prints help or an error of the command line. Help that cannot be printed is a failure; a reader that stops early
/// is not.
fn print_parse_error(error: &clap::Error) -> ExitCode {
    // An argument may contain terminal control characters, which the error repeats among its own colours.
    if std::env::args_os().any(|argument| argument.to_string_lossy().contains(visible::is_hidden)) {
        output::eprint(error.render().to_string().trim_end());
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    match error.print() {
        Err(fault) if fault.kind() != std::io::ErrorKind::BrokenPipe => {
            report_errors(&[format!("cannot write the help: {fault}")], 1)
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

/// Reports errors, and returns the exit code.
fn report_errors(reports: &[String], code: u8) -> ExitCode {
    let reports: Vec<String> =
        reports.iter().map(|report| format!("{}: {report}", output::error_label())).collect();
    if !reports.is_empty() {
        output::eprint_styled(&reports.join("\n\n"));
    }
    ExitCode::from(code)
}

/// Returns an error in the command line of the current subcommand.
fn usage(message: &str) -> clap::Error {
    let message = visible::lines(message).into_owned();
    let mut cli = help::cli();
    cli.build();
    let called = std::env::args_os().nth(1).unwrap_or_default();
    let kind = clap::error::ErrorKind::ValueValidation;
    match cli.find_subcommand_mut(called) {
        Some(subcommand) => subcommand.error(kind, message),
        None => cli.error(kind, message),
    }
}

impl Failure {
    /// Returns the error of an invalid result.
    fn problem(problem: &Problem) -> Self {
        Self::input(problem.render(Syntax::Command))
    }

    /// Returns an error of the input with one message.
    fn input(message: impl Into<String>) -> Self {
        Self::Input(vec![visible::lines(&message.into()).into_owned()])
    }
}
