//! `qtdec check`: whether a map was measured.

use clap::Args;
use qtdec_core::Document;
use qtdec_terminal::{Failure, Input, output};
use serde_json::json;

/// Check that a map or tree is not a placeholder
///
/// Nothing was measured in a placeholder. The exit code is 3 if it is a placeholder or was made from one. qtdec-mpi check checks tuning files of MPI libraries.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec check --measured kernel.json")]
pub(crate) struct Arguments {
    /// Read this map or tree, or - for standard input
    #[arg(value_name = "FILE")]
    input: String,

    /// Check that the file was made from measured times
    #[arg(long, required = true)]
    measured: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open_map(&arguments.input)?;
    let is_measured = match input.document()? {
        Document::Map(map) => !map.is_placeholder(),
        Document::Tree(tree) => !tree.statistics().is_unmeasured(),
    };
    if arguments.json {
        output::print(&(json!({ "measured": is_measured }).to_string() + "\n"))?;
    } else if is_measured {
        output::print(&format!("{}: measured\n", input.name()))?;
    }
    let told = format!(
        "`{}` is a placeholder: replace it by a map of measured times, as qtdec map makes",
        input.name()
    );
    if is_measured {
        Ok(())
    } else {
        Err(Failure::Negative(if arguments.json { Vec::new() } else { vec![told] }))
    }
}
