//! The program `qtdec-mpi`: campaigns of measurements, and the tuning files of MPI libraries that they lead to.

#[allow(clippy::doc_markdown, reason = "doc comments there are help texts")]
mod commands;
#[cfg(test)]
#[path = "../../../tests/commands/slots.rs"]
mod slots;

use std::process::ExitCode;

use clap::Parser;
use qtdec_terminal::Failure;
use qtdec_terminal::program::{self, Program};

use commands::Command;

/// The command line of `qtdec-mpi`.
#[derive(Debug, Parser)]
#[command(name = "qtdec-mpi", version, arg_required_else_help = true, max_term_width = 100)]
#[command(about = "Tune the collectives of MPI libraries from measured times")]
#[command(
    after_help = "Examples:\n  qtdec-mpi measure --library open-mpi --np 2..64 -o measure.sh\n  qtdec-mpi tune qtdec-results --library open-mpi -o tuned"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

impl Program for Cli {
    const GROUPS: &[(&str, usize)] = Command::GROUPS;
    const RARE: &[(&str, &[&str])] = commands::RARE;

    fn run(&self) -> Result<(), Failure> {
        self.command.run()
    }
}

fn main() -> ExitCode {
    program::run::<Cli>()
}
