//! `qtdec-mpi emit`: tuning files of MPI libraries.

use std::collections::BTreeMap;

use clap::Args;
use qtdec_core::Basis;
use qtdec_mpi_library::catalogue::no_method;
use qtdec_mpi_library::choice::{DEFAULT, WITH_HAN};
use qtdec_mpi_library::tuning::{
    Format, LibraryRules, RuleOptions, open_mpi, open_mpi_han, own_method, without_collective,
};
use qtdec_terminal::subject::{MadeTree, Origin, trees};
use qtdec_terminal::{Failure, Input, Output, Outputs, basis, output};

use super::compare::pair;
use super::file_check::check_written;
use super::into_files::{IntoFiles, name_beside};
use super::tuning_file::{ExtendArgument, NO_SWITCHES, ReleaseArgument, format_with};
use super::verify_hint::{Deployed, verify_hint};

/// Write the decisions of maps and trees as a tuning file
///
/// A map stands for its exact tree; qtdec encode makes others.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi emit bcast.json reduce.json --target open-mpi -o rules.conf")]
pub(crate) struct Arguments {
    /// Read these maps and trees, or canonical times, from which one map is made; - is standard input
    #[arg(required = true, value_name = "MAP|TREE|TIMES")]
    inputs: Vec<String>,

    /// Write a file of this format
    #[arg(long, value_name = "TARGET", value_parser = format_with(|format| format.is_written))]
    target: &'static Format,

    /// Write the file to this name, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,

    /// Match a method of the map to an algorithm of the library, as in `tree=chain:fanout=8`; methods without this option are
    /// matched by name. The prefix COLLECTIVE: limits it to the map of that collective
    #[arg(long, value_name = "[COLLECTIVE:]METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// Keep the other collectives of this tuning file. For MPICH, name libmpich.so, which holds its own file and that of its device, CH4, or
    /// each by an --into: CH4 then keeps the calls which these rules leave to the library, and its file is written beside the output, with
    /// -ch4 in its name
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

    /// Use the times of this collective; of a map that does not name its collective, this is its name
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// State which bytes message sizes count, if a map or a tree does not: those of each block, of the whole buffer, or of all ranks
    #[arg(long, value_name = "BASIS", value_parser = basis)]
    basis_in: Option<Basis>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs = arguments.inputs.iter().chain(&arguments.into).map(String::as_str);
    let mut outputs = Outputs::new(inputs);
    let output = outputs.add(&arguments.output)?;
    let into = IntoFiles::open(&arguments.into, arguments.target)?;
    let companion = arguments.target.companion.filter(|_| into.device.is_some());
    let device = companion.map(|companion| name_beside(&companion, &arguments.output)).transpose()?;
    let beside = arguments.han.clone().or(device);
    let beside = beside.map(|name| outputs.add(&name)).transpose()?;
    tuning_file(arguments, (&output, beside.as_ref()), &into)
}

fn tuning_file(
    arguments: &Arguments,
    (output, beside_output): (&Output, Option<&Output>),
    IntoFiles { whole: into, device }: &IntoFiles,
) -> Result<(), Failure> {
    let (format, collective) = (arguments.target, arguments.collective.as_deref());
    let subjects = trees(&arguments.inputs, arguments.basis_in, collective)?;
    distinct(&subjects, collective)?;
    let han = arguments.han.as_ref();
    let options = RuleOptions {
        methods: arguments.method.clone(),
        max_comm_size: arguments.max_comm_size,
        extend: arguments.extend.extend,
        approximate: arguments.approximate,
        guard: arguments.guard || han.is_some(),
        release: arguments.release.resolve(format)?,
        placement: None,
    };
    let reads_han = format.name == open_mpi::CLASSIC.name
        && options.release.is_some_and(|release| open_mpi_han::HAN_FILE.releases.contains(&release.series()));
    if han.is_some() && !reads_han {
        return Err(Failure::usage(
            "--han needs --target open-mpi --release 5.0, the first release whose HAN reads such a file",
        ));
    }
    if let Some((method, _)) = arguments.method.iter().find(|(method, _)| {
        !subjects.iter().any(|subject| own_method(subject.tree.domain(), method).is_some())
    }) {
        let scope = method.split_once(':').map(|(collective, _)| collective);
        let of = |subject: &&MadeTree| subject.tree.domain().collective() == scope;
        let subject = scope.and_then(|_| subjects.iter().find(of)).unwrap_or(&subjects[0]);
        let method = without_collective(method, scope).unwrap_or(method);
        return Err(Failure::Usage(no_method(subject.tree.domain(), method)));
    }
    let all_rules = subjects.iter().map(|subject| rules(format, subject, collective, &options));
    let all_rules: Vec<LibraryRules> = all_rules.collect::<Result<_, _>>()?;
    let is_deployed = all_rules.iter().any(|rules| rules.forced() > 0);
    let companion = format.companion.filter(|_| han.is_some() || device.is_some());
    let beside = companion.map(|companion| {
        let own = subjects.iter().zip(&all_rules).map(|(subject, own)| {
            Ok((companion.beside)(own, rules((companion.format)(), subject, collective, &options)?))
        });
        let own: Vec<LibraryRules> = own.collect::<Result<_, Failure>>()?;
        let written = (companion.write)(&own, device.as_ref().map(Input::bytes));
        let written = match device {
            Some(device) => device.check(written)?,
            None => subjects[0].origin.check(written)?,
        };
        Ok::<_, Failure>((companion, written))
    });
    let beside = beside.transpose()?;
    let all_rules: Vec<LibraryRules> = match beside {
        Some(_) => all_rules.iter().map(LibraryRules::without_nodes).collect(),
        None => all_rules,
    };
    let written = format.write(&all_rules, into.as_ref().map(Input::bytes));
    let written = match into {
        Some(into) => into.check(written)?,
        None => subjects[0].origin.check(written)?,
    };
    if let Some(into) = into {
        check_written((format, options.release), (into.name(), &written.text), Some(into))?;
    }
    if let Some((device, (_, beside))) = device.as_ref().zip(beside.as_ref()) {
        check_written((format, options.release), (device.name(), &beside.text), Some(device))?;
    }
    output.write(&written.text)?;
    all_rules.iter().flat_map(|rules| &rules.warnings).for_each(|warning| output::warn(warning));
    written.notes.iter().for_each(|note| output::note(note));
    if han.is_none() && subjects.iter().any(|subject| baseline(subject).as_deref() == Some(WITH_HAN)) {
        output::warn(&format!(
            "the default of the map is `{WITH_HAN}`, and these settings switch HAN off: add --han FILE, or make the map with --baseline {DEFAULT}"
        ));
    }
    let path = absolute(&arguments.output);
    // A file that the library does not ship may have rules of an earlier deployment.
    let keeps_rules = into.is_some() && !format.is_shipped;
    let is_deployed = keeps_rules || is_deployed;
    let script = match beside_output.zip(beside) {
        Some((output, (companion, beside))) => {
            output.write(&beside.text)?;
            beside.notes.iter().for_each(|note| output::note(note));
            beside.switches.script(absolute(output.name()).as_deref())
                + &(companion.kept_by)(written.switches).script(path.as_deref())
        }
        None => written.switches.script(path.as_deref()),
    };
    let script = if is_deployed { &*script } else { NO_SWITCHES };
    output::eprint(script.trim_end_matches('\n'));
    let deployed: Vec<Deployed<'_>> =
        subjects.iter().map(|subject| deployed(subject, &arguments.inputs)).collect();
    output::eprint(&verify_hint(&deployed));
    Ok(())
}

fn rules(
    format: &Format,
    MadeTree { origin, tree }: &MadeTree,
    named: Option<&str>,
    options: &RuleOptions,
) -> Result<LibraryRules, Failure> {
    let collective = tree.domain().collective().or(named).ok_or_else(|| {
        Failure::input(format!("`{}` does not name its collective: name it with --collective", origin.name()))
    })?;
    let options = RuleOptions { placement: Some(format.placement()), ..options.restricted_to(tree.domain()) };
    origin.check(LibraryRules::new(tree, format.library, collective, format.unit(collective), &options))
}

/// Checks that the trees, which get one file together, are of different collectives.
fn distinct(subjects: &[MadeTree], named: Option<&str>) -> Result<(), Failure> {
    let mut known: BTreeMap<&str, &MadeTree> = BTreeMap::new();
    for one in subjects {
        let Some(collective) = one.tree.domain().collective().or(named) else { continue };
        if let Some(other) = known.insert(collective, one) {
            return Err(Failure::usage(format!(
                "`{}` and `{}` are both of {collective}: write them to separate files",
                other.origin.name(),
                one.origin.name()
            )));
        }
    }
    Ok(())
}

/// Returns the absolute path of an output, or `None` for standard output and for a path that is not UTF-8.
fn absolute(output: &str) -> Option<String> {
    let path = (output != "-").then(|| std::path::absolute(output).ok())??;
    path.into_os_string().into_string().ok()
}

fn deployed<'s>(subject: &'s MadeTree, inputs: &'s [String]) -> Deployed<'s> {
    let before = match (&subject.origin, inputs) {
        (Origin::Times(_), [only]) => Some(&**only),
        _ => None,
    };
    let collective = subject.tree.domain().collective();
    Deployed { before, collective, baseline: baseline(subject), tree: None }
}

fn baseline(subject: &MadeTree) -> Option<String> {
    let domain = subject.tree.domain();
    domain.baseline().map(|method| domain.method(method).label())
}
