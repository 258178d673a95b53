//! `qtdec emit`: trees as code.

use std::path::Path;

use clap::{Args, ValueEnum};
use qtdec_build::Style;
use qtdec_core::code::Returns;
use qtdec_core::{DecisionTree, Place, Problem, Problems, lookup, naming};

use super::input::{EncodingArguments, Input, LayoutArgument};
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
    #[arg(long, value_name = "TYPE", default_value = "usize", value_parser = integer)]
    parameter_type: String,

    /// Return this type instead of an enum of the methods: an integer, &'static str or an enum of your own
    #[arg(long, value_name = "TYPE", value_parser = returned)]
    returns: Option<String>,

    #[command(flatten)]
    encoding: EncodingArguments,

    #[command(flatten)]
    layout: LayoutArgument,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Target {
    /// A Rust function, as the attribute and the builder make it
    Rust,
    /// Bytes that the crate qtdec-lookup loads as a table
    LookupTable,
    /// Bytes that it loads as a tree, which are fewer
    LookupTree,
}

fn identifier(text: &str) -> Result<String, String> {
    if naming::is_identifier(text) { Ok(text.to_owned()) } else { Err("no identifier of Rust".to_owned()) }
}

fn integer(text: &str) -> Result<String, String> {
    let types = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let known = types.contains(&text);
    if known { Ok(text.to_owned()) } else { Err(format!("one of {}", types.join(", "))) }
}

fn returned(text: &str) -> Result<String, String> {
    let tokens = text.parse().map_err(|_| "no type of Rust".to_owned())?;
    let known = "an enum, an integer or &'static str, bare or in an Option or Result";
    Returns::of(&tokens).map(|_| text.to_owned()).ok_or_else(|| known.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.target {
        Target::Rust => write_rust(arguments),
        Target::LookupTable => write_bytes(arguments, |tree| Ok(lookup::table(tree)?)),
        Target::LookupTree => write_bytes(arguments, |tree| {
            let too_large = "the tree has too many nodes for a step of one to another to fit into four bytes";
            lookup::tree(tree).ok_or_else(|| Problem::new(Place::File, too_large).into())
        }),
    }
}

fn write_bytes(
    arguments: &Arguments,
    bytes: impl Fn(&DecisionTree) -> Result<Vec<u8>, Problems>,
) -> Result<(), Failure> {
    let [input] = &arguments.inputs[..] else {
        return Err(Failure::Usage("the bytes of one map go into one file".to_owned()));
    };
    let Subject { input, tree, .. } = Subject::open(arguments, input)?;
    output::write_bytes(&arguments.output, &input.check(bytes(&tree))?)
}

fn write_rust(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.function.is_some() && arguments.inputs.len() > 1 {
        return Err(Failure::Usage("--function names one function, and there are several maps".to_owned()));
    }
    let subjects = arguments.inputs.iter().map(|input| Subject::open(arguments, input));
    let subjects: Vec<Subject> = subjects.collect::<Result<_, _>>()?;
    for (index, subject) in subjects.iter().enumerate() {
        if let Some(other) = subjects[..index].iter().find(|other| other.name == subject.name) {
            return Err(Failure::Usage(format!(
                "`{}` and `{}` both become a function `{}`: write them to files of their own, with --function",
                other.input.name(),
                subject.input.name(),
                subject.name
            )));
        }
    }
    let files = subjects.iter().map(|subject| rust(arguments, subject));
    let files: Vec<String> = files.collect::<Result<_, _>>()?;
    output::write(&arguments.output, &files.join("\n"))
}

/// A tree, and the name of its function.
struct Subject {
    input: Input,
    tree: DecisionTree,
    name: String,
}

impl Subject {
    fn open(arguments: &Arguments, input: &str) -> Result<Self, Failure> {
        let input = Input::open(input)?;
        let tree = input.tree(&arguments.encoding)?;
        let stem = Path::new(input.name()).file_stem().unwrap_or_default().to_string_lossy();
        let name = arguments.function.as_deref().or(tree.domain().collective()).unwrap_or(&stem).to_owned();
        Ok(Self { input, tree, name })
    }
}

fn rust(arguments: &Arguments, subject: &Subject) -> Result<String, Failure> {
    let Subject { input, tree, name } = subject;
    let style = Style {
        parameter_type: arguments.parameter_type.clone(),
        returns: arguments.returns.clone(),
        optional: !tree.is_total(),
        layout: arguments.layout.layout(),
        ..Style::named(name)
    };
    input.check(style.file(tree, input.name()))
}
