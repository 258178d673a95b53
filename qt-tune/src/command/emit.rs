//! `qtdec emit`: trees as code.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use qtdec_build::ItemOptions;
use qtdec_core::code::ReturnKind;
use qtdec_core::{DecisionTree, Problems, lookup, naming};

use super::compare::pair;
use super::input::{EncodingArguments, Input, LayoutArgument};
use super::tuning_file::value;
use super::{Failure, output};
use crate::c_header::{self, Shape};
use crate::libraries::NotMatched;
use crate::tuning::{self, Format, Plan, PlanOptions};

/// Write decision functions as code, or as tuning files of MPI libraries
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Maps or trees, or - for standard input
    #[arg(required = true, value_name = "MAP|TREE")]
    inputs: Vec<String>,

    /// What is written
    #[arg(long, value_name = "TARGET", value_parser = PossibleValuesParser::new(targets()))]
    target: String,

    /// Where the code goes, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,

    /// The name of the function; by default the collective, or else the name of the file
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    function: Option<String>,

    /// The type of the parameters that give sizes, in Rust [default: usize]
    #[arg(long, value_name = "TYPE", value_parser = integer)]
    parameter_type: Option<String>,

    /// Return this type instead of an enum of the methods, in Rust: an integer, &'static str or an enum of your own
    #[arg(long, value_name = "TYPE", value_parser = returned)]
    returns: Option<String>,

    #[command(flatten)]
    tuning: TuningFileArguments,

    #[command(flatten)]
    encoding: EncodingArguments,

    #[command(flatten)]
    layout: LayoutArgument,
}

/// How tuning files are written.
#[derive(Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Tuning files")]
struct TuningFileArguments {
    /// A method of the map, and the algorithm of the library that it is; otherwise it is guessed by name
    #[arg(long, value_name = "METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// A tuning file whose other collectives are kept
    #[arg(long, value_name = "FILE")]
    into: Option<String>,

    /// Write rules for so many ranks where every communicator size needs its own [default: the largest one measured]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    max_comm_size: Option<u64>,

    /// Let rules be shared by the communicator sizes between two that were measured, and list what comes out otherwise
    #[arg(long)]
    approximate: bool,

    /// Leave communicators below the smallest one measured to the library
    #[arg(long)]
    guard: bool,
}

const RUST: &str = "rust";
const C: &str = "c";
const LOOKUP_TABLE: &str = "lookup-table";

/// The targets that are no tuning files.
const CODE: [(&str, &str); 3] = [
    (RUST, "a function of Rust, as the attribute and the builder make it"),
    (C, "a header of C99 with the same branches or selections"),
    (LOOKUP_TABLE, "bytes that the crate qtdec-lookup loads"),
];

fn targets() -> Vec<PossibleValue> {
    let code = CODE.into_iter().map(|(name, about)| PossibleValue::new(name).help(about));
    let written = tuning::formats().into_iter().filter(|format| format.is_written());
    code.chain(written.map(value)).collect()
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
    let ty = syn::parse_str(text).map_err(|_| "no type of Rust".to_owned())?;
    let known = "an enum, an integer or &'static str, bare or in an Option or Result";
    ReturnKind::of(&ty).map(|_| text.to_owned()).ok_or_else(|| known.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = tuning::find_format(&arguments.target);
    if format.is_none() && arguments.tuning != TuningFileArguments::default() {
        return Err(Failure::Usage(format!(
            "--target {} is no tuning file: leave out what is for those",
            arguments.target
        )));
    }
    let rust = [
        ("--parameter-type", arguments.parameter_type.is_some()),
        ("--returns", arguments.returns.is_some()),
        ("--layout", arguments.layout.is_given() && arguments.target != C),
    ];
    let given: Vec<&str> = rust.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect();
    if arguments.target != RUST && !given.is_empty() {
        let target = &arguments.target;
        return Err(Failure::Usage(format!("--target {target} is no Rust: leave out {}", given.join(", "))));
    }
    match &*arguments.target {
        LOOKUP_TABLE => write_bytes(arguments, |tree| Ok(lookup::table(tree)?)),
        _ => write_text(arguments, format),
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

fn write_text(arguments: &Arguments, format: Option<&dyn Format>) -> Result<(), Failure> {
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
    if let Some(format) = format {
        return tuning_file(arguments, format, &subjects);
    }
    let files = subjects.iter().map(|subject| match &*arguments.target {
        C => {
            let shape = Shape::of(arguments.layout.layout(), &subject.tree).map_err(Into::into);
            let shape = subject.input.check(shape)?;
            Ok(c_header::header(&subject.tree, &subject.name, subject.input.name(), shape))
        }
        _ => rust(arguments, subject),
    });
    let files: Vec<String> = files.collect::<Result<_, _>>()?;
    output::write(&arguments.output, &files.join("\n"))
}

fn tuning_file(arguments: &Arguments, format: &dyn Format, subjects: &[Subject]) -> Result<(), Failure> {
    let given = &arguments.tuning;
    let options = PlanOptions {
        methods: given.method.clone(),
        max_comm_size: given.max_comm_size,
        approximate: given.approximate,
        guard: given.guard,
    };
    if let Some((method, _)) =
        given.method.iter().find(|(method, _)| !subjects.iter().any(|subject| subject.has(method)))
    {
        return Err(Failure::Usage(NotMatched::method(subjects[0].tree.domain(), method).0));
    }
    let plan = |subject: &Subject| {
        let Subject { input, tree, .. } = subject;
        let collective = tree.domain().collective().ok_or_else(|| {
            Failure::input(format!(
                "`{}` does not tell its collective: add \"collective\" to it",
                input.name()
            ))
        })?;
        let methods = given.method.iter().filter(|(method, _)| subject.has(method)).cloned().collect();
        let options = PlanOptions { methods, ..options.clone() };
        input.check(Plan::new(tree, format.library(), collective, format.unit(collective), &options))
    };
    let plans: Vec<Plan> = subjects.iter().map(plan).collect::<Result<_, _>>()?;
    let into = given.into.as_deref().map(Input::open).transpose()?;
    let written = format.write(&plans, into.as_ref().map(Input::bytes));
    let written = match &into {
        Some(into) => into.check(written)?,
        None => subjects[0].input.check(written)?,
    };
    output::write(&arguments.output, &written.text)?;
    written.notes.iter().for_each(|note| output::note(note));
    let file = if arguments.output == "-" { "FILE" } else { &arguments.output };
    output::tell(&written.switches.replace("FILE", file));
    Ok(())
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

    /// Whether there is a method of this name, or of this label.
    fn has(&self, method: &str) -> bool {
        let methods = self.tree.domain().methods();
        methods.iter().any(|known| known.name == method || known.label() == method)
    }
}

fn rust(arguments: &Arguments, subject: &Subject) -> Result<String, Failure> {
    let Subject { input, tree, name } = subject;
    let style = ItemOptions {
        parameter_type: arguments.parameter_type.clone().unwrap_or_else(|| "usize".to_owned()),
        returns: arguments.returns.clone(),
        optional: !tree.is_total(),
        layout: arguments.layout.layout(),
        ..ItemOptions::named(name)
    };
    input.check(style.file(tree, input.name()))
}
