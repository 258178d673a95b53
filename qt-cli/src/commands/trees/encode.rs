//! `qtdec encode`: a tree file from a map, to be kept next to it.

use clap::Args;

use qtdec_terminal::{EncodingArguments, Failure, Input, Outputs};

/// Make a decision tree from a map, to be stored with it
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec encode map.json --max-depth 3 -o tree.json")]
pub(crate) struct Arguments {
    /// Read this map, or - for standard input
    #[arg(value_name = "MAP")]
    map: String,

    /// Write the tree to this file, or - for standard output
    #[arg(short, long, value_name = "TREE", default_value = "-")]
    output: String,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = Outputs::new([&*arguments.map]).add(&arguments.output)?;
    let input = Input::open_map(&arguments.map)?;
    let options = arguments.encoding.checked()?;
    let tree = input.check(options.tree(input.document()?))?;
    target.write(&input.check(tree.to_file())?)
}
