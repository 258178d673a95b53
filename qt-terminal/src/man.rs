//! The command `man` of a program: its manual pages.

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::{Failure, FileSet, Outputs, folder};

/// Write the manual pages, one for each command
#[derive(Debug, Args)]
pub struct Arguments {
    /// Write the pages to this folder, which is created if it does not exist
    #[arg(value_name = "FOLDER", value_parser = folder::name())]
    folder: String,
}

pub fn run<P: CommandFactory>(arguments: &Arguments) -> Result<(), Failure> {
    let mut cli = P::command();
    cli.build();
    let mut pages = FileSet::new("man");
    add(&cli, &mut pages)?;
    pages.write(&arguments.folder, Outputs::new([]), None)
}

fn add(command: &clap::Command, pages: &mut FileSet) -> Result<(), Failure> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::input(format!("cannot write a page: {error}")))?;
    pages.add(page.get_filename(), text);
    let mut subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    subcommands.try_for_each(|subcommand| add(subcommand, pages))
}
