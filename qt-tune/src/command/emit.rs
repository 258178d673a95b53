//! `qtdec emit`: trees as code.

use std::path::Path;

use clap::{Args, ValueEnum};
use qtdec_build::Style;
use qtdec_core::code::Returns;
use qtdec_core::naming;

use super::input::{EncodingArguments, Input};
use super::{Failure, output};

/// Write decision functions as code
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Maps or trees, or - for standard input
    #[arg(required = true, value_name = "MAP|TREE")]
    inputs: Vec<String>,

    /// What is written
    #[arg(long, value_name = "TARGET", value_enum)]
    target: Target,

    /// Where the code goes, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,

    /// The name of the function; by default the collective, or else the name of the file
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    function: Option<String>,

    /// The type of the parameters that give sizes
    #[arg(long, value_name = "TYPE", default_value = "usize")]
    parameter_type: String,

    /// Return this type instead of an enum of the methods: an integer, &'static str or an enum of your own
    #[arg(long, value_name = "TYPE", value_parser = returned)]
    returns: Option<String>,

    #[command(flatten)]
    encoding: EncodingArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Target {
    /// A Rust function, as the attribute and the builder make it
    Rust,
}

fn identifier(text: &str) -> Result<String, String> {
    if naming::is_identifier(text) { Ok(text.to_owned()) } else { Err("no identifier of Rust".to_owned()) }
}

fn returned(text: &str) -> Result<String, String> {
    let tokens = text.parse().map_err(|_| "no type of Rust".to_owned())?;
    let known = "an enum, an integer or &'static str, bare or in an Option or Result";
    Returns::of(&tokens).map(|_| text.to_owned()).ok_or_else(|| known.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.function.is_some() && arguments.inputs.len() > 1 {
        return Err(Failure::Usage("--function names one function, and there are several maps".to_owned()));
    }
    let files = arguments.inputs.iter().map(|input| match arguments.target {
        Target::Rust => rust(arguments, input),
    });
    let files: Vec<String> = files.collect::<Result<_, _>>()?;
    output::write(&arguments.output, &files.join("\n"))
}

fn rust(arguments: &Arguments, input: &str) -> Result<String, Failure> {
    let input = Input::open(input)?;
    let tree = input.tree(&arguments.encoding)?;
    let stem = Path::new(input.name()).file_stem().unwrap_or_default().to_string_lossy();
    let name = arguments.function.as_deref().or(tree.domain().collective()).unwrap_or(&stem);
    let style = Style {
        parameter_type: arguments.parameter_type.clone(),
        returns: arguments.returns.clone(),
        optional: !tree.is_total(),
        ..Style::named(name)
    };
    input.check(style.file(&tree, input.name()))
}
