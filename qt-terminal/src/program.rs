//! A program made of commands: its command line is parsed, one command runs, and its failure becomes the exit code.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Command, Parser};
use qtdec_core::visible;

use crate::{Failure, help, output};

/// The command line of a program. Other crates can implement the trait.
pub trait Program: Parser {
    /// The groups of the commands on the help page, each with the number of its commands.
    const GROUPS: &[(&str, usize)];

    /// The options that `-h` leaves out, by command: few need them, and `--help` shows them.
    const RARE: &[(&str, &[&str])];

    fn run(&self) -> Result<(), Failure>;
}

/// Returns the command line with its help in groups.
pub fn command<P: Program>() -> Command {
    help::short(P::command(), P::GROUPS, P::RARE)
}

/// Runs the command given on the process's command line.
pub fn run<P: Program>() -> ExitCode {
    let parsed = command::<P>().try_get_matches().and_then(|matches| P::from_arg_matches(&matches));
    let program = match parsed {
        Ok(program) => program,
        Err(error) => return print_parse_error(&error),
    };
    match program.run() {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Input(reports)) => report_errors(&reports, 1),
        Err(Failure::Negative(reports)) => report_errors(&reports, 3),
        Err(Failure::Usage(message)) => usage::<P>(&message).exit(),
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

fn report_errors(reports: &[String], code: u8) -> ExitCode {
    let reports: Vec<String> =
        reports.iter().map(|report| format!("{}: {report}", output::error_label())).collect();
    if !reports.is_empty() {
        output::eprint_styled(&reports.join("\n\n"));
    }
    ExitCode::from(code)
}

/// Returns an error in the command line of the current command.
fn usage<P: Program>(message: &str) -> clap::Error {
    let message = visible::lines(message).into_owned();
    let mut cli = command::<P>();
    cli.build();
    let called = std::env::args_os().nth(1).unwrap_or_default();
    match cli.find_subcommand_mut(called) {
        Some(subcommand) => subcommand.error(ErrorKind::ValueValidation, message),
        None => cli.error(ErrorKind::ValueValidation, message),
    }
}

/// Declares the commands of a program in groups, in display order: the variant of each, and its module, which holds `Arguments` and `run`. A
/// command that describes the program itself runs `for` it.
#[macro_export]
macro_rules! commands {
    ($($group:literal: $($name:ident in $($module:ident)::+ $(for $program:ty)?,)*)*) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Command {
            $($($name(Box<$($module)::+::Arguments>),)*)*
        }

        impl Command {
            pub(crate) const GROUPS: &[(&str, usize)] = &[$(($group, [$(stringify!($name)),*].len())),*];

            pub(crate) fn run(&self) -> Result<(), qtdec_terminal::Failure> {
                match self {
                    $($(Self::$name(arguments) => $($module)::+::run$(::<$program>)?(arguments),)*)*
                }
            }
        }
    };
}
