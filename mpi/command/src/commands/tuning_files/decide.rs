//! `qtdec-mpi decide`: the algorithm that a library runs for one call, and the line of the tuning file behind it.

use clap::Args;
use qtdec_mpi_library::catalogue::SizeUnit;
use qtdec_terminal::sizes::size;
use qtdec_terminal::{Failure, output};
use serde_json::{Value, json};

use super::tuning_file::{JobArguments, TuningArguments};

/// Show the algorithm that a library runs for one call
///
/// The line of the tuning file behind it is shown too.
/// Message sizes count what the library compares.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi decide rules.conf --collective bcast --comm-size 64 --msg-size 8K"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    /// Set the number of ranks; the suffixes K, M and G multiply by powers of 1024
    #[arg(long, value_name = "P", value_parser = size)]
    comm_size: Option<u64>,

    /// Set the message size
    #[arg(long, value_name = "M", value_parser = size)]
    msg_size: Option<u64>,

    /// Choose the collective, if the file has several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    #[command(flatten)]
    job: JobArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.open()?;
    let selection = file.selection(arguments.job.job())?;
    let collective = file.collective(&*selection, arguments.collective.as_deref())?;
    let unit = selection.unit(&collective);
    let missing =
        |axis: &str| Failure::usage(format!("the size on axis `{axis}` is missing: add --{axis} SIZE"));
    let comm_size = arguments.comm_size.ok_or_else(|| missing("comm-size"))?;
    let msg_size = match arguments.msg_size {
        None if unit == SizeUnit::Nothing => 0,
        None => return Err(missing("msg-size")),
        Some(size) => size,
    };
    file.warn_of_findings();
    let decision = selection.decide(&collective, comm_size, msg_size);
    let rules = selection.rule(&collective, comm_size, msg_size);
    let lines: Vec<(&str, Option<usize>)> =
        rules.iter().map(|(rule, place)| (&**rule, file.line(place))).collect();
    if arguments.json {
        let rule = lines.iter().map(|(rule, line)| json!({ "rule": rule, "line": line }));
        let answer = json!({
            "collective": collective,
            "method": decision.label(),
            "name": decision.name,
            "segment_size": decision.segment_size,
            "id": decision.algorithm,
            "counts": unit.describe(),
            "rule": rule.collect::<Vec<Value>>(),
        });
        return output::print(&(answer.to_string() + "\n"));
    }
    let rule: Vec<String> = (lines.iter())
        .map(|(rule, line)| line.map_or((*rule).to_owned(), |line| format!("{rule} (line {line})")))
        .collect();
    let rule = if rule.is_empty() {
        "none: no rule of the file matches this call".to_owned()
    } else {
        rule.join(", ")
    };
    output::print(&format!("method  {}\nrule    {rule}\ncounts  {}\n", decision.label(), unit.describe()))
}
