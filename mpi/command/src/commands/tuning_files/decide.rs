//! `qtdec-mpi decide`: the algorithm that a library runs for one call, and the line of the tuning file behind it.

mod built_in;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use qtdec_mpi_library::catalogue::{BARRIER, SizeUnit};
use qtdec_mpi_library::rules::{self, RuleSet};
use qtdec_mpi_library::tuning::Decision;
use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::sizes::size;
use qtdec_terminal::{Failure, output};
use serde_json::{Value, json};

use super::tuning_file::{JobArguments, TuningArguments};

/// Show the algorithm that a library runs for one call
///
/// The line of the tuning file behind it is shown too. With --rules instead of a file, the library chooses by itself, and the sizes are shown
/// between which the choice is the same: numbers of ranks for this message, and messages on these ranks. Other components may serve a call
/// before such rules do, as Open MPI's HAN and MPICH's device.
/// Message sizes count what the library compares.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi decide rules.conf --collective bcast --comm-size 64 --msg-size 8K\n  \
                  qtdec-mpi decide --rules open-mpi-4.1 --collective bcast --comm-size 64 --over msg_size",
    mut_arg("input", |file| file.required(false).required_unless_present("rules"))
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    /// Ask a library's own rules instead of a file
    #[arg(long, value_name = "RULES", value_parser = rule_set(), conflicts_with_all = ["input", "format", "release", "ranks_per_node"])]
    rules: Option<&'static RuleSet>,

    /// Set the number of ranks; the suffixes K, M and G multiply by powers of 1024
    #[arg(long, value_name = "P", value_parser = size)]
    comm_size: Option<u64>,

    /// Set the message size
    #[arg(long, value_name = "M", value_parser = size)]
    msg_size: Option<u64>,

    /// Show the choices for all message sizes, and where each begins
    #[arg(long, value_name = "AXIS", value_parser = ["msg_size"], conflicts_with = "msg_size")]
    over: Option<String>,

    /// Choose the collective, if the file has several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// Set the size of an element in bytes, which own rules may compare numbers of [default: 1]
    #[arg(long, value_name = "BYTES", requires = "rules", value_parser = clap::value_parser!(u64).range(1..))]
    element_size: Option<u64>,

    /// Treat the operation as non-commutative, which own rules may test
    #[arg(long, requires = "rules")]
    non_commutative: bool,

    #[command(flatten)]
    job: JobArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn rule_set() -> impl TypedValueParser<Value = &'static RuleSet> {
    PossibleValuesParser::new(rules::ALL.iter().map(|rules| rules.name))
        .try_map(|name| RuleSet::find(&name).ok_or("there are no such rules"))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(rules) = arguments.rules {
        return built_in::run(arguments, rules);
    }
    let file = arguments.file.open()?;
    let selection = file.selection(arguments.job.job())?;
    let collective = file.collective(&*selection, arguments.collective.as_deref())?;
    let unit = selection.unit(&collective);
    let comm_size = size_of("comm-size", arguments.comm_size)?;
    if arguments.over.is_some() {
        let mut starts = selection.message_starts(&collective, comm_size);
        starts.push(0);
        starts.sort_unstable();
        starts.retain(|start| unit != SizeUnit::Nothing || *start == 0);
        file.warn_of_findings();
        let bands = starts.into_iter().map(|from| (from, selection.decide(&collective, comm_size, from)));
        return print_row(bands, unit, arguments.json);
    }
    let msg_size = message(arguments, &collective, unit)?;
    file.warn_of_findings();
    let rule = selection.rule(&collective, comm_size, msg_size).into_iter();
    Answer {
        collective: &collective,
        decision: selection.decide(&collective, comm_size, msg_size),
        unit,
        rule: rule.map(|(rule, place)| (rule, file.line(&place))).collect(),
        runs: None,
    }
    .print(arguments.json)
}

fn size_of(axis: &str, given: Option<u64>) -> Result<u64, Failure> {
    given.ok_or_else(|| Failure::usage(format!("the size on axis `{axis}` is missing: add --{axis} SIZE")))
}

fn no_message(collective: &str) -> bool {
    collective == BARRIER
}

/// Returns the message size of the call, which is ignored where nothing compares it.
fn message(arguments: &Arguments, collective: &str, unit: SizeUnit) -> Result<u64, Failure> {
    if no_message(collective) && arguments.msg_size.is_some() {
        output::warn("a barrier has no message size: --msg-size is ignored");
    }
    match arguments.msg_size {
        _ if no_message(collective) => Ok(0),
        None if unit == SizeUnit::Nothing => Ok(0),
        given => size_of("msg-size", given),
    }
}

/// Prints the decisions of a row, and the size from which each holds. Equal neighbours are one.
fn print_row(
    bands: impl Iterator<Item = (u64, Decision)>,
    unit: SizeUnit,
    is_json: bool,
) -> Result<(), Failure> {
    let mut bands: Vec<(u64, Decision)> = bands.collect();
    bands.dedup_by(|next, before| next.1 == before.1);
    let mut table = Table::new(&[("msg_size from", "msg_size"), ("method", "method")]);
    for (from, decision) in bands {
        table.row([Cell::Whole(from), Cell::Text(decision.label())]);
    }
    if is_json {
        return output::print(&table.write(Form::Json));
    }
    output::print(&format!("{}\ncounts  {}\n", table.write(Form::Text), unit.describe()))
}

/// The answer for a call.
struct Answer<'a> {
    collective: &'a str,
    decision: Decision,
    unit: SizeUnit,
    /// The conditions behind the decision, with their lines in the file.
    rule: Vec<(String, Option<usize>)>,
    /// What runs in place of the decision, where the library replaces it.
    runs: Option<Decision>,
}

impl Answer<'_> {
    fn print(&self, is_json: bool) -> Result<(), Failure> {
        let Self { collective, decision, unit, rule, runs } = self;
        if is_json {
            let rule = rule.iter().map(|(rule, line)| json!({ "rule": rule, "line": line }));
            let mut answer = json!({
                "collective": collective,
                "method": decision.label(),
                "name": decision.name,
                "segment_size": decision.segment_size,
                "id": decision.algorithm,
                "counts": unit.describe(),
                "rule": rule.collect::<Vec<Value>>(),
            });
            if let Some(runs) = runs {
                answer["runs"] = runs.label().into();
            }
            return output::print(&(answer.to_string() + "\n"));
        }
        let rule: Vec<String> = (rule.iter())
            .map(|(rule, line)| line.map_or(rule.clone(), |line| format!("{rule} (line {line})")))
            .collect();
        let rule = if rule.is_empty() {
            "none: no rule of the file matches this call".to_owned()
        } else {
            rule.join(", ")
        };
        let runs = runs.as_ref().map(|runs| {
            format!("runs    {}, in silence: the chosen algorithm cannot serve this call\n", runs.label())
        });
        output::print(&format!(
            "method  {}\nrule    {rule}\n{}counts  {}\n",
            decision.label(),
            runs.unwrap_or_default(),
            unit.describe()
        ))
    }
}
