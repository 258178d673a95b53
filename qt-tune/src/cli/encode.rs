//! `qtdec encode`: a map becomes a tree, once, to be kept.

use clap::Args;

use super::Failure;
use super::destination::Outputs;
use super::input::{EncodingArguments, Input};

/// Make a decision tree of a map, to be kept and reviewed beside it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Where the tree goes, or - for standard output
    #[arg(short, long, value_name = "TREE", default_value = "-")]
    output: String,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Outputs::of([&*arguments.map]).add(&arguments.output)?;
    let input = Input::open(&arguments.map)?;
    let tree = input.tree(&arguments.encoding)?;
    output.write(&input.check(tree.to_file().map_err(Into::into))?)
}
