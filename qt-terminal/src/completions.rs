//! The command `completions` of a program: shell completions for its commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Failure, output};

/// Write shell completions for commands and options
#[derive(Debug, Args)]
pub struct Arguments {
    /// Write completions for this shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub fn run<P: CommandFactory>(arguments: &Arguments) -> Result<(), Failure> {
    let mut cli = P::command();
    let name = cli.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut cli, name, &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
