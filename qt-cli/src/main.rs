//! The program `qtdec`: times become maps, maps become trees, and trees become code.

#[allow(clippy::doc_markdown, reason = "doc comments there are help texts")]
mod commands;
#[cfg(test)]
#[path = "../../tests/commands/slots.rs"]
mod slots;

use std::process::ExitCode;

use clap::Parser;
use qtdec_terminal::Failure;
use qtdec_terminal::program::{self, Program};

use commands::Command;

/// The command line of `qtdec`.
#[derive(Debug, Parser)]
#[command(name = "qtdec", version, arg_required_else_help = true, max_term_width = 100)]
#[command(about = "Turn times of any methods into decision functions that choose among them by size")]
#[command(after_help = "Examples:\n  qtdec demo\n  qtdec map results/ --baseline default -o map.json")]
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
