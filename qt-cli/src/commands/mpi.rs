//! `qtdec mpi`: the program `qtdec-mpi`, where it is installed.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{self, Command};

use clap::Args;
use qtdec_terminal::Failure;

/// The program.
const PROGRAM: &str = "qtdec-mpi";

/// Tune MPI libraries, by the program qtdec-mpi
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Give these words to qtdec-mpi
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Runs the program that stands in the folder of this one, or else the first on the PATH, and ends as it does.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let beside =
        std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM)).filter(|path| path.is_file());
    let program = beside.unwrap_or_else(|| PROGRAM.into());
    match Command::new(&program).args(&arguments.words).status() {
        Ok(status) => process::exit(status.code().unwrap_or(1)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::Usage(format!(
            "`{PROGRAM}` is not on the PATH: install it with cargo install {PROGRAM}, or take it from a release archive"
        ))),
        Err(error) => Err(Failure::input(format!("cannot start `{}`: {error}", program.display()))),
    }
}
