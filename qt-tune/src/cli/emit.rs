//! `qtdec emit`: decision functions as code or as tuning files.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use qtdec_build::{EnumItem, ItemOptions};
use qtdec_core::code::{ReturnKind, Wrapper};
use qtdec_core::{Basis, DecisionTree, Document, Problems, lookup, naming};
use qtdec_mpi_library::catalogue::NotMatched;
use qtdec_mpi_run::choice::{DEFAULT, WITH_HAN};

use super::beside::Beside;
use super::compare::pair;
use super::destination::{Output, Outputs};
use super::input::{EncodingArguments, Input, LayoutArgument};
use super::into_files::{IntoFiles, device_name};
use super::option_values::basis;
use super::subject::{Origin, documents};
use super::tuning_file::{ExtendArgument, NO_SWITCHES, ReleaseArgument, value};
use super::verify::{Deployed, verify_hint};
use super::written::check_written;
use super::{Failure, output};
use crate::emit::c_header::{self, Shape};
use qtdec_mpi_library::tuning::{
    self, Format, LibraryRules, RuleOptions, open_mpi, open_mpi_han, own_method, without_collective,
};

/// Write decision functions as code, or as tuning files of MPI libraries
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec emit map.json --target rust --max-depth 3 -o bcast.rs\n  qtdec emit bcast.json reduce.json --target open-mpi -o rules.conf"
)]
pub(super) struct Arguments {
    /// Read these maps and trees, or canonical times, from which one map is made; - is standard input
    #[arg(required = true, value_name = "MAP|TREE|TIMES")]
    inputs: Vec<String>,

    /// Write this kind of code or tuning file
    #[arg(long, value_name = "TARGET", value_parser = PossibleValuesParser::new(targets()))]
    target: String,

    /// Write the code to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,

    /// Name the function [default: the name of the file, or the collective of the map if it has one]
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    function: Option<String>,

    /// Use this type for sizes, in Rust [default: usize]
    #[arg(long, value_name = "TYPE", value_parser = integer)]
    parameter_type: Option<String>,

    /// Return this type instead of an enum of the methods, in Rust: an integer, &'static str or an enum of your own
    #[arg(long, value_name = "TYPE", value_parser = returned)]
    returns: Option<String>,

    /// Add these constants, functions and traits to the enum of the methods, in Rust; separate several by commas
    #[arg(long, value_name = "ITEM", value_delimiter = ',', conflicts_with = "returns", value_parser = enum_items())]
    enum_items: Vec<String>,

    /// Add a test after each function that proves it equal to its tree, in Rust
    #[arg(long)]
    certify: bool,

    /// Name the label that stands for true of a bool parameter, in Rust, if the labels themselves do not show it; separate several
    /// by commas
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    true_label: Vec<String>,

    #[command(flatten)]
    tuning: TuningFileArguments,

    /// Use the times of this collective; of a map that does not name its collective, this is its name
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// State which bytes message sizes count, if a map or a tree does not: those of each block, of the whole buffer, or of all ranks
    #[arg(long, value_name = "BASIS", value_parser = basis)]
    basis_in: Option<Basis>,

    #[command(flatten)]
    encoding: EncodingArguments,

    #[command(flatten)]
    layout: LayoutArgument,
}

/// Options for writing tuning files.
#[derive(Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Tuning files")]
struct TuningFileArguments {
    /// Match a method of the map to an algorithm of the library, as in `tree=chain:fanout=8`; methods without this option are
    /// matched by name. The prefix COLLECTIVE: limits it to the map of that collective
    #[arg(long, value_name = "[COLLECTIVE:]METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// Keep the other collectives of this tuning file. For MPICH, a second --into can name the file of its device, CH4: then that keeps the
    /// calls which these rules leave to the library, and is written beside the output, with -ch4 in its name
    #[arg(long, value_name = "FILE")]
    into: Vec<String>,

    /// End the rules at this many ranks, and leave larger communicators to the library [default: the largest one measured]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    max_comm_size: Option<u64>,

    #[command(flatten)]
    extend: ExtendArgument,

    /// Share rules among the communicator sizes between two measured ones, and list the decisions that differ
    #[arg(long)]
    approximate: bool,

    /// Leave communicators smaller than the smallest measured one to the library
    #[arg(long)]
    guard: bool,

    /// Write rules for Open MPI's component HAN to this file, so that it keeps the calls which these rules leave to the library, on several
    /// nodes too; implies --guard, since HAN's communicators within nodes and between them read the same rules
    #[arg(long, value_name = "FILE", conflicts_with = "approximate")]
    han: Option<String>,

    #[command(flatten)]
    release: ReleaseArgument,
}

const RUST: &str = "rust";
const C: &str = "c";
const LOOKUP_TABLE: &str = "lookup-table";

/// The targets that are code rather than tuning files.
const CODE: [(&str, &str); 3] = [
    (RUST, "a Rust function, the same as from the attribute and the builder"),
    (C, "a C99 header with the same branches or selections"),
    (LOOKUP_TABLE, "a binary table for the crate qtdec-lookup"),
];

fn targets() -> Vec<PossibleValue> {
    let code = CODE.into_iter().map(|(name, about)| PossibleValue::new(name).help(about));
    let written = tuning::formats().iter().copied().filter(|format| format.is_written());
    code.chain(written.map(value)).collect()
}

fn enum_items() -> PossibleValuesParser {
    PossibleValuesParser::new(EnumItem::ALL.map(|(name, _)| name))
}

fn identifier(text: &str) -> Result<String, String> {
    if naming::is_identifier(text) { Ok(text.to_owned()) } else { Err("not a Rust identifier".to_owned()) }
}

fn integer(text: &str) -> Result<String, String> {
    let types = naming::INTEGER_TYPES;
    let is_integer = |ty| matches!(ReturnKind::from_type(&ty), Some((ReturnKind::Id(_), Wrapper::Bare)));
    let known = syn::parse_str(text).is_ok_and(is_integer);
    if known {
        Ok(text.to_owned())
    } else {
        Err(format!("one of {}, or a type of core::ffi", types.join(", ")))
    }
}

/// The maximum number of brackets in a type on the command line.
const MAX_BRACKETS: usize = 64;

fn returned(text: &str) -> Result<String, String> {
    // The parser of Rust recurses into every bracket, and its stack is limited.
    if text.matches(['<', '(', '[', '{', '&', '*']).count() > MAX_BRACKETS {
        return Err(format!("it nests more than {MAX_BRACKETS} types: use a type alias"));
    }
    let ty = syn::parse_str(text).map_err(|_| "not a Rust type".to_owned())?;
    let known = "an enum, an integer or &'static str, bare or in an Option or Result";
    ReturnKind::from_type(&ty).map(|_| text.to_owned()).ok_or_else(|| known.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = tuning::find_format(&arguments.target);
    if format.is_none() && arguments.tuning != TuningFileArguments::default() {
        return Err(Failure::Usage(format!(
            "--target {} is not a tuning file: remove the options for tuning files",
            arguments.target
        )));
    }
    let rust = [
        ("--parameter-type", arguments.parameter_type.is_some()),
        ("--returns", arguments.returns.is_some()),
        ("--enum-items", !arguments.enum_items.is_empty()),
        ("--certify", arguments.certify),
        ("--true-label", !arguments.true_label.is_empty()),
        ("--layout", arguments.layout.is_given() && arguments.target != C),
    ];
    let given: Vec<&str> = rust.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect();
    if arguments.target != RUST && !given.is_empty() {
        let target = &arguments.target;
        return Err(Failure::Usage(format!("--target {target} is not Rust: remove {}", given.join(", "))));
    }
    let inputs: Vec<String> = arguments.inputs.iter().chain(&arguments.tuning.into).cloned().collect();
    let mut outputs = Outputs::new(inputs.iter().map(String::as_str));
    let output = outputs.add(&arguments.output)?;
    if arguments.target == LOOKUP_TABLE {
        return write_bytes(arguments, &output, |tree| Ok(lookup::table(tree)?));
    }
    let Some(format) = format else { return write_code(arguments, &output) };
    let into = IntoFiles::open(&arguments.tuning.into, format)?;
    let device = into.device.as_ref().map(|_| device_name(&arguments.output)).transpose()?;
    let beside = arguments.tuning.han.clone().or(device);
    let beside = beside.map(|name| outputs.add(&name)).transpose()?;
    tuning_file(arguments, (&output, beside.as_ref()), format, &into)
}

fn write_bytes(
    arguments: &Arguments,
    output: &Output,
    bytes: impl Fn(&DecisionTree) -> Result<Vec<u8>, Problems>,
) -> Result<(), Failure> {
    let subjects = Subject::open(arguments)?;
    let [Subject { origin, tree, .. }] = &subjects[..] else {
        return Err(Failure::Usage("a file can hold the bytes of only one map".to_owned()));
    };
    output.write_bytes(&origin.check(bytes(tree))?)
}

/// Opens the maps, which get one file together.
fn subjects(arguments: &Arguments) -> Result<Vec<Subject>, Failure> {
    let subjects = Subject::open(arguments)?;
    if arguments.function.is_some() && subjects.len() > 1 {
        return Err(Failure::Usage("--function names one function, and there are several maps".to_owned()));
    }
    for (index, subject) in subjects.iter().enumerate() {
        if let Some(other) = subjects[..index].iter().find(|other| other.name == subject.name) {
            return Err(Failure::Usage(format!(
                "`{}` and `{}` both become a function `{}`: write them to separate files, with --function",
                other.origin.name(),
                subject.origin.name(),
                subject.name
            )));
        }
    }
    Ok(subjects)
}

fn write_code(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let subjects = subjects(arguments)?;
    let files = subjects.iter().map(|subject| match &*arguments.target {
        C => {
            let shape = Shape::from_layout(arguments.layout.layout(), &subject.tree).map_err(Into::into);
            let shape = subject.origin.check(shape)?;
            Ok(c_header::header(&subject.tree, &subject.name, subject.origin.name(), shape))
        }
        _ => rust(arguments, subject),
    });
    let files: Vec<String> = files.collect::<Result<_, _>>()?;
    output.write(&files.join("\n"))
}

fn tuning_file(
    arguments: &Arguments,
    (output, beside_output): (&Output, Option<&Output>),
    format: &dyn Format,
    IntoFiles { whole: into, device }: &IntoFiles,
) -> Result<(), Failure> {
    let subjects = subjects(arguments)?;
    let given = &arguments.tuning;
    let han = given.han.as_ref();
    let options = RuleOptions {
        methods: given.method.clone(),
        max_comm_size: given.max_comm_size,
        extend: given.extend.extend,
        approximate: given.approximate,
        guard: given.guard || han.is_some(),
        release: given.release.resolve(format)?,
    };
    let reads_han = format.name() == open_mpi::Classic.name()
        && options.release.is_some_and(|release| open_mpi_han::Han.releases().contains(&release));
    if han.is_some() && !reads_han {
        return Err(Failure::Usage(
            "--han needs --target open-mpi --release 5.0, the first release whose HAN reads such a file"
                .to_owned(),
        ));
    }
    if let Some((method, _)) =
        given.method.iter().find(|(method, _)| !subjects.iter().any(|subject| subject.has(method)))
    {
        let scope = method.split_once(':').map(|(collective, _)| collective);
        let of = |subject: &&Subject| subject.tree.domain().collective() == scope;
        let subject = scope.and_then(|_| subjects.iter().find(of)).unwrap_or(&subjects[0]);
        let method = without_collective(method, scope).unwrap_or(method);
        return Err(Failure::Usage(NotMatched::method(subject.tree.domain(), method).0));
    }
    let rules_in = |format: &dyn Format, subject: &Subject| {
        let Subject { origin, tree, .. } = subject;
        let collective = tree.domain().collective().or(arguments.collective.as_deref()).ok_or_else(|| {
            Failure::input(format!(
                "`{}` does not name its collective: name it with --collective",
                origin.name()
            ))
        })?;
        let options = options.restricted_to(tree.domain());
        origin.check(LibraryRules::new(tree, format.library(), collective, format.unit(collective), &options))
    };
    let all_rules = subjects.iter().map(|subject| rules_in(format, subject));
    let all_rules: Vec<LibraryRules> = all_rules.collect::<Result<_, _>>()?;
    let beside = match (han, device) {
        (Some(_), _) => {
            let own = subjects.iter().zip(&all_rules).map(|(subject, classic)| {
                Ok(open_mpi_han::beside(classic, rules_in(&open_mpi_han::Han, subject)?))
            });
            let own: Vec<LibraryRules> = own.collect::<Result<_, Failure>>()?;
            let written = subjects[0].origin.check(tuning::write(&open_mpi_han::Han, &own, None))?;
            Some(Beside::of_han(written))
        }
        (None, Some(device)) => Some(Beside::of_device(&all_rules, device)?),
        (None, None) => None,
    };
    let written = tuning::write(format, &all_rules, into.as_ref().map(Input::bytes));
    let written = match into {
        Some(into) => into.check(written)?,
        None => subjects[0].origin.check(written)?,
    };
    if let Some(into) = into {
        check_written((format, options.release), (into.name(), &written.text), Some(into))?;
    }
    if let Some((device, beside)) = device.as_ref().zip(beside.as_ref()) {
        check_written((format, options.release), (device.name(), &beside.written.text), Some(device))?;
    }
    output.write(&written.text)?;
    all_rules.iter().flat_map(|rules| &rules.warnings).for_each(|warning| output::warn(warning));
    written.notes.iter().for_each(|note| output::note(note));
    if han.is_none() && subjects.iter().any(|subject| subject.baseline().as_deref() == Some(WITH_HAN)) {
        output::warn(&format!(
            "the default of the map is `{WITH_HAN}`, and these settings switch HAN off: add --han FILE, or make the map with --baseline {DEFAULT}"
        ));
    }
    let path = absolute(&arguments.output);
    // A file that the library does not ship may have rules of an earlier deployment.
    let keeps_rules = into.is_some() && !format.is_shipped();
    let is_deployed = keeps_rules || all_rules.iter().any(|rules| rules.forced() > 0);
    let script = match beside_output.zip(beside) {
        Some((output, beside)) => {
            output.write(&beside.written.text)?;
            beside.written.notes.iter().for_each(|note| output::note(note));
            beside.script(absolute(output.name()).as_deref(), written.switches, path.as_deref())
        }
        None => written.switches.script(path.as_deref()),
    };
    let script = if is_deployed { &*script } else { NO_SWITCHES };
    output::eprint(script.trim_end_matches('\n'));
    let deployed: Vec<Deployed<'_>> =
        subjects.iter().map(|subject| subject.deployed(&arguments.inputs)).collect();
    output::eprint(&verify_hint(&deployed, &[]));
    Ok(())
}

/// Returns the absolute path of an output, or `None` for standard output and for a path that is not UTF-8.
fn absolute(output: &str) -> Option<String> {
    let path = (output != "-").then(|| std::path::absolute(output).ok())??;
    path.into_os_string().into_string().ok()
}

/// A tree, and the name of its function.
struct Subject {
    origin: Origin,
    tree: DecisionTree,
    name: String,
}

impl Subject {
    fn deployed<'s>(&'s self, inputs: &'s [String]) -> Deployed<'s> {
        let domain = self.tree.domain();
        let before = match (&self.origin, inputs) {
            (Origin::Times(_), [only]) => Some(&**only),
            _ => None,
        };
        Deployed { before, collective: domain.collective(), baseline: self.baseline(), tree: None }
    }

    /// Returns the label of the library's own choice.
    fn baseline(&self) -> Option<String> {
        let domain = self.tree.domain();
        domain.baseline().map(|method| domain.method(method).label())
    }

    fn open(arguments: &Arguments) -> Result<Vec<Self>, Failure> {
        let options = arguments.encoding.checked()?;
        let subject = |(origin, document): (Origin, Document)| {
            let tree = origin.check(options.tree(document))?;
            let stem = Path::new(origin.name()).file_stem().unwrap_or_default().to_string_lossy();
            let name =
                arguments.function.as_deref().or(tree.domain().collective()).unwrap_or(&stem).to_owned();
            Ok(Self { origin, tree, name })
        };
        documents(&arguments.inputs, arguments.basis_in, arguments.collective.as_deref())?
            .into_iter()
            .map(subject)
            .collect()
    }

    /// Returns whether `method` refers to a method of this map.
    fn has(&self, method: &str) -> bool {
        own_method(self.tree.domain(), method).is_some()
    }
}

fn rust(arguments: &Arguments, subject: &Subject) -> Result<String, Failure> {
    let Subject { origin, tree, name } = subject;
    let requested =
        EnumItem::ALL.into_iter().filter(|(name, _)| arguments.enum_items.iter().any(|given| given == name));
    let requested = requested.map(|(_, item)| item);
    let style = ItemOptions {
        parameter_type: arguments.parameter_type.clone().unwrap_or_else(|| "usize".to_owned()),
        returns: arguments.returns.clone(),
        optional: !tree.is_total(),
        layout: arguments.layout.layout(),
        certify: arguments.certify,
        true_labels: arguments.true_label.clone(),
        enum_items: requested.collect(),
        ..ItemOptions::named(name)
    };
    origin.check(style.file(tree, origin.name()))
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
