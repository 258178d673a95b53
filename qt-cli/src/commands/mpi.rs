//! `qtdec mpi`: the program `qtdec-mpi`, where it is installed.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::Command;

use clap::Args;
use qtdec_terminal::Failure;

const PROGRAM: &str = "qtdec-mpi";

/// Tune MPI libraries, by the program qtdec-mpi
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Give these words to qtdec-mpi
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Continues as the program that stands in the folder of this one, or else as the first on the PATH.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let program = own.filter(|own| own.is_file()).unwrap_or_else(|| PROGRAM.into());
    let error = become_of(Command::new(&program).args(&arguments.words));
    Err(if error.kind() == ErrorKind::NotFound {
        Failure::usage(format!(
            "`{PROGRAM}` is not on the PATH: install it with cargo install {PROGRAM}, or take it from a release archive"
        ))
    } else {
        Failure::input(format!("cannot start `{}`: {error}", program.display()))
    })
}

/// Replaces this process, so that signals reach the program itself. Returns only if that fails.
#[cfg(unix)]
fn become_of(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Runs the program and ends as it does. Returns only if it cannot be started.
#[cfg(not(unix))]
fn become_of(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
