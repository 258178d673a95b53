//! `qtdec man`: the manual pages.

use std::fs;
use std::path::Path;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::destination::Outputs;
use super::{Cli, Failure};

const EXAMPLE: &str = "\
Example:
  qtdec man ~/.local/share/man/man1 && man qtdec-tune";

/// Write the manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    /// Write the pages to this folder, which is created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = Path::new(&arguments.folder);
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("cannot create {}: {error}", folder.display())))?;
    let mut cli = Cli::command();
    cli.build();
    write(&cli, folder, &mut Outputs::of([]))
}

/// Writes the page of a command and those of its subcommands.
fn write(command: &clap::Command, folder: &Path, outputs: &mut Outputs) -> Result<(), Failure> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::input(format!("cannot write a page: {error}")))?;
    outputs.add(&folder.join(page.get_filename()).to_string_lossy())?.write_bytes(&text)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        write(subcommand, folder, outputs)?;
    }
    Ok(())
}
