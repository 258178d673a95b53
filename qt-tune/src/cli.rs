//! The `qtdec` command, with one file per subcommand.

mod beside;
mod c45;
mod campaign;
mod check;
mod combine;
mod compare;
mod compare_encoders;
mod completions;
mod decide;
mod decision_time;
mod demo;
mod destination;
mod diff;
mod distance;
mod emit;
mod encode;
mod fitted;
mod folder;
mod gain;
mod help;
mod hold_out;
mod import;
mod input;
mod into_files;
mod lacking;
mod leave_out;
mod man;
mod map;
mod measure;
mod model;
mod moved;
mod mpi_build;
mod network;
mod observe;
mod option_values;
mod output;
mod packed;
mod placeholder;
mod plan;
mod plane;
mod plot;
mod predict;
mod predicted_times;
mod predicting;
mod progress;
mod race;
mod race_next;
mod read;
mod reading;
mod replace;
mod replay;
mod report;
mod reports;
mod schedule;
#[cfg(unix)]
mod signals;
mod simulate;
mod single_samples;
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
mod unmeasured;
mod verify;
mod weigh;
mod written;

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

/// Declares the subcommands, in display order: the variant of each, and its file, which holds `Arguments` and `run`.
macro_rules! commands {
    ($($name:ident in $file:ident,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name(Box<$file::Arguments>),)*
        }

        impl Command {
            fn run(&self) -> Result<(), Failure> {
                match self {
                    $(Self::$name(arguments) => $file::run(arguments),)*
                }
            }
        }
    };
}

commands! {
    Demo in demo,
    Plan in plan,
    Race in race,
    Replay in replay,
    Tune in tune,
    Read in read,
    Map in map,
    Import in import,
    Combine in combine,
    Weigh in weigh,
    Network in network,
    Predict in predict,
    Model in model,
    Simulate in simulate,
    MpiBuild in mpi_build,
    Encode in encode,
    Stats in stats,
    Sweep in sweep,
    CompareEncoders in compare_encoders,
    C45 in c45,
    Compare in compare,
    Diff in diff,
    Plot in plot,
    Report in report,
    Schedule in schedule,
    Decide in decide,
    Time in time,
    Emit in emit,
    Check in check,
    Verify in verify,
    Observe in observe,
    Completions in completions,
    Man in man,
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
    match command.run() {
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
