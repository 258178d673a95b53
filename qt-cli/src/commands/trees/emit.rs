//! `qtdec emit`: decision functions as code.

mod answers;
mod check;
mod origin;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use qtdec_build::{EnumItem, ItemOptions};
use qtdec_core::DecisionTree;
use qtdec_core::code::{LayoutChoice, ReturnKind, Wrapper};
use qtdec_core::{Basis, lookup, naming};

use qtdec_study::readers::some_of;
use qtdec_terminal::c_header::{self, Shape};
use qtdec_terminal::subject::{MadeTree, trees};
use qtdec_terminal::{Failure, Output, Outputs, basis, one_of, reported, sentence, stem};

use answers::Answers;
use check::check;

/// Write decision functions as code
///
/// A map stands for its exact tree; qtdec encode makes others.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec encode map.json --max-depth 3 -o tree.json\n  qtdec emit tree.json --target rust -o bcast.rs\n  qtdec emit tree.json --target rust -o bcast.rs --check"
)]
pub(crate) struct Arguments {
    /// Read these maps and trees, or canonical times, from which one map is made; - is standard input
    #[arg(required = true, value_name = "MAP|TREE|TIMES")]
    inputs: Vec<String>,

    /// Write this kind of code
    #[arg(long, value_name = "TARGET", value_enum)]
    target: Target,

    /// Write the code to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,

    /// Compare the code with the file that -o names, and write nothing: if they differ, say where, and end with exit code 3
    #[arg(long)]
    check: bool,

    /// Name the function [default: the name of the file, or the collective of the map if it has one]
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    function: Option<String>,

    /// Use this type for sizes, in Rust [default: usize]
    #[arg(long, value_name = "TYPE", value_parser = integer)]
    parameter_type: Option<String>,

    /// Return this type instead of an enum of the methods, in Rust: an integer, &'static str or an enum of your own, or any type with
    /// --answers
    #[arg(long, value_name = "TYPE", value_parser = returned)]
    returns: Option<String>,

    /// Return these expressions, in Rust, as the attribute's answers(…): METHOD=EXPRESSION, separated by commas
    #[arg(long, value_name = "ANSWERS", requires = "returns", value_parser = Answers::parse)]
    answers: Option<Answers>,

    /// Add these constants, functions and traits to the enum of the methods, in Rust; separate several by commas
    #[arg(long, value_name = "ITEM", value_delimiter = ',', conflicts_with = "returns", value_parser = one_of(&EnumItem::ALL))]
    enum_items: Vec<EnumItem>,

    /// Say in the file what the decisions gain at the points of this map, or of these times of another run, in Rust
    #[arg(long, value_name = "MAP|TIMES")]
    against: Option<String>,

    /// Name the label that stands for true of a bool parameter, in Rust, if the labels themselves do not show it; separate several
    /// by commas
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    true_label: Vec<String>,

    /// End the branches of every block with the papers' else, which reports this error and which no size leads to; for --layout
    /// quadrants
    #[arg(long, value_name = "MESSAGE")]
    error: Option<String>,

    /// Use the times of this collective; of a map that does not name its collective, this is its name
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// State which bytes message sizes count, if a map or a tree does not: those of each block, of the whole buffer, or of all ranks
    #[arg(long, value_name = "BASIS", value_parser = basis)]
    basis_in: Option<Basis>,

    #[arg(
        long = LayoutChoice::OPTION, help = sentence(&LayoutChoice::help()) + " [default: encoding]", help_heading = None::<&str>,
        value_name = LayoutChoice::names().join("|"), value_parser = layouts(), hide_possible_values = true
    )]
    layout: Option<LayoutChoice>,
}

fn layouts() -> impl TypedValueParser<Value = LayoutChoice> {
    let names = PossibleValuesParser::new(LayoutChoice::names());
    names.try_map(|name| LayoutChoice::parse(&name))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    #[value(
        help = "a Rust function, the same as from the attribute and the builder; with several inputs and --function, one function of a \
                    device, whose name is that of the input, and of sizes"
    )]
    Rust,
    #[value(help = "a C99 header with the same branches, quadrants or selections")]
    C,
    #[value(help = "a binary table for the crate qtdec-lookup")]
    LookupTable,
}

fn identifier(text: &str) -> Result<String, String> {
    if naming::is_identifier(text) { Ok(text.to_owned()) } else { Err("not a Rust identifier".to_owned()) }
}

fn integer(text: &str) -> Result<String, String> {
    let types = naming::INTEGER_TYPES;
    let known = return_kind(text);
    if matches!(known, Some((ReturnKind::Id(_), Wrapper::Bare))) {
        Ok(text.to_owned())
    } else {
        Err(format!("one of {}, or a type of core::ffi", types.join(", ")))
    }
}

/// Returns the kind of value that a function of this return type returns.
fn return_kind(text: &str) -> Option<(ReturnKind, Wrapper)> {
    ReturnKind::from_type(&syn::parse_str(text).ok()?)
}

/// The maximum number of brackets in a type on the command line.
const MAX_BRACKETS: usize = 64;

fn returned(text: &str) -> Result<String, String> {
    // The parser of Rust recurses into every bracket, and its stack is limited.
    if text.matches(['<', '(', '[', '{', '&', '*']).count() > MAX_BRACKETS {
        return Err(format!("it nests more than {MAX_BRACKETS} types: use a type alias"));
    }
    syn::parse_str::<syn::Type>(text).map(|_| text.to_owned()).map_err(|_| "not a Rust type".to_owned())
}

/// Checks that the returned type shows the method, if no answers are given.
fn check_returned(arguments: &Arguments) -> Result<(), Failure> {
    let Some(text) = arguments.returns.as_ref().filter(|_| arguments.answers.is_none()) else {
        return Ok(());
    };
    match return_kind(text) {
        Some(_) => Ok(()),
        None => Err(Failure::usage(format!(
            "--returns {text} is not an enum, an integer or &'static str, bare or in an Option or Result: give an expression for each \
             method with --answers"
        ))),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rust = [
        ("--parameter-type", arguments.parameter_type.is_some()),
        ("--returns", arguments.returns.is_some()),
        ("--answers", arguments.answers.is_some()),
        ("--enum-items", !arguments.enum_items.is_empty()),
        ("--against", arguments.against.is_some()),
        ("--true-label", !arguments.true_label.is_empty()),
        ("--layout", arguments.layout.is_some() && arguments.target != Target::C),
        ("--error", arguments.error.is_some() && arguments.target != Target::C),
    ];
    let given: Vec<&str> = rust.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect();
    if arguments.target != Target::Rust && !given.is_empty() {
        let target = arguments.target.to_possible_value();
        let target = target.as_ref().map_or("", PossibleValue::get_name);
        return Err(Failure::usage(format!("--target {target} is not Rust: remove {}", given.join(", "))));
    }
    check_returned(arguments)?;
    if arguments.check && arguments.output == "-" {
        return Err(Failure::usage("--check compares with a file: name it with -o FILE"));
    }
    let files = arguments.inputs.iter().chain(&arguments.against);
    let output = Outputs::new(files.map(String::as_str)).add(&arguments.output)?;
    let trees = trees(&arguments.inputs, arguments.basis_in, arguments.collective.as_deref())?;
    if arguments.target == Target::LookupTable {
        let [MadeTree { origin, tree }] = &trees[..] else {
            return Err(Failure::usage("a file can hold the bytes of only one map"));
        };
        let table = lookup::table(tree);
        let table = origin.check(table)?;
        return if arguments.check { check(&arguments.output, &table) } else { output.write_bytes(&table) };
    }
    if let (Target::Rust, Some(name), [_, _, ..]) = (arguments.target, &arguments.function, &trees[..]) {
        return write_text(arguments, &by_device(arguments, name, &trees)?, &output);
    }
    write_code(arguments, &named(arguments, trees)?, &output)
}

/// Returns the code of one function for several devices, whose keys are the names of the files.
fn by_device(arguments: &Arguments, name: &str, trees: &[MadeTree]) -> Result<String, Failure> {
    if arguments.against.is_some() {
        return Err(Failure::usage(
            "--against is of one device, and the function is for several: judge the files one by one",
        ));
    }
    let stems: Vec<String> = trees.iter().map(|made| stem(made.origin.name())).collect();
    let keyed =
        trees.iter().zip(&stems).map(|(MadeTree { origin, tree }, stem)| (&**stem, origin.name(), tree));
    let keyed: Vec<_> = keyed.collect();
    let trees: Vec<&DecisionTree> = trees.iter().map(|made| &made.tree).collect();
    let options = ItemOptions { notes: origin::notes(&trees, Vec::new()), ..options(arguments, name) };
    reported(&some_of(&arguments.inputs), options.file_by_device(&keyed))
}

struct NamedTree {
    name: String,
    made: MadeTree,
}

/// Names the functions of the trees, which get one file together.
fn named(arguments: &Arguments, trees: Vec<MadeTree>) -> Result<Vec<NamedTree>, Failure> {
    if arguments.function.is_some() && trees.len() > 1 {
        return Err(Failure::usage("--function names one function, and there are several maps"));
    }
    let mut all: Vec<NamedTree> = Vec::new();
    for made in trees {
        let stem = stem(made.origin.name());
        let name = arguments.function.as_deref().or(made.tree.domain().collective()).unwrap_or(&stem);
        if let Some(other) = all.iter().find(|other| other.name == *name) {
            return Err(Failure::usage(format!(
                "`{}` and `{}` both become a function `{name}`: write them to separate files, with --function",
                other.made.origin.name(),
                made.origin.name()
            )));
        }
        all.push(NamedTree { name: name.to_owned(), made });
    }
    Ok(all)
}

fn write_code(arguments: &Arguments, trees: &[NamedTree], output: &Output) -> Result<(), Failure> {
    let files = trees.iter().map(|named| match arguments.target {
        Target::C => {
            let NamedTree { name, made: MadeTree { origin, tree } } = named;
            let error = arguments.error.as_deref();
            let shape = Shape::from_layout(arguments.layout.unwrap_or_default(), error, tree);
            Ok(c_header::header(tree, name, origin.name(), origin.check(shape)?))
        }
        _ => rust(arguments, named),
    });
    let files: Vec<String> = files.collect::<Result<_, _>>()?;
    write_text(arguments, &files.join("\n"), output)
}

fn write_text(arguments: &Arguments, text: &str, output: &Output) -> Result<(), Failure> {
    if arguments.check { check(&arguments.output, text.as_bytes()) } else { output.write(text) }
}

fn rust(arguments: &Arguments, named: &NamedTree) -> Result<String, Failure> {
    let NamedTree { name, made: MadeTree { origin, tree } } = named;
    let gains = arguments.against.as_deref().map(|against| origin::gains(tree, against)).transpose()?;
    let options = ItemOptions {
        optional: !tree.is_total(),
        notes: origin::notes(&[tree], gains.unwrap_or_default()),
        ..options(arguments, name)
    };
    origin.check(options.file(tree, origin.name()))
}

fn options(arguments: &Arguments, name: &str) -> ItemOptions {
    let all = EnumItem::ALL.into_iter().map(|(_, item)| item);
    let requested = all.filter(|item| arguments.enum_items.contains(item));
    ItemOptions {
        parameter_type: arguments.parameter_type.clone().unwrap_or_else(|| "usize".to_owned()),
        returns: arguments.returns.clone(),
        layout: arguments.layout.unwrap_or_default(),
        error: arguments.error.clone(),
        true_labels: arguments.true_label.clone(),
        answers: arguments.answers.clone().unwrap_or_default().0,
        enum_items: requested.collect(),
        ..ItemOptions::named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_nested_without_end_are_refused() {
        assert_eq!(returned("Option<Algorithm>"), Ok("Option<Algorithm>".to_owned()));
        for open in ["Option<", "(", "[", "&", "*const "] {
            let refused = returned(&open.repeat(3000)).unwrap_err();
            assert!(refused.starts_with("it nests more than 64 types"), "{open}: {refused}");
        }
    }
}
