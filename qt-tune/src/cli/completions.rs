//! `qtdec completions`: shell completions for commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Failure, output};

const EXAMPLES: &str = "\
Examples:
  bash: qtdec completions bash > ~/.local/share/bash-completion/completions/qtdec
  zsh:  qtdec completions zsh > ~/.zfunc/_qtdec   (with fpath+=~/.zfunc before compinit)
  fish: qtdec completions fish > ~/.config/fish/completions/qtdec.fish";

/// Write shell completions for commands and options
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Write completions for this shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut cli = Cli::command();
    let name = cli.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut cli, name, &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
