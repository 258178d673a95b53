//! `qtdec-mpi import`: a map from a tuning file.

use clap::Args;

use crate::commands::tuning_files::tuning_file::{JobArguments, TuningArguments};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_terminal::{Failure, Outputs, output};

/// Make a map from a tuning file of an MPI library
///
/// The map makes the same decisions as the library with this file, for all sizes. A file that the library would reject is an
/// error; warnings show where the library does something else than the file suggests. Message sizes count what the library
/// compares: a total where it multiplies by the ranks.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi import rules.conf --format open-mpi --collective bcast -o bcast.json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    #[command(flatten)]
    job: JobArguments,

    /// Choose the collective, if the file has several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// Write the map to this file, or - for standard output
    #[arg(short, long, value_name = "MAP", default_value = "-")]
    output: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Outputs::new([arguments.file.name()]).add(&arguments.output)?;
    let file = arguments.file.open()?;
    let selection = file.selection(arguments.job.job())?;
    let collective = file.collective(&*selection, arguments.collective.as_deref())?;
    let map = file.faulty(map_of(&*selection, &collective))?;
    let mut source = serde_json::json!({
        "files": [file.input.name()],
        "format": file.format.name,
        "made_by": concat!("qtdec ", env!("CARGO_PKG_VERSION")),
    });
    let ranks_per_node = arguments.job.job().ranks_per_node;
    if ranks_per_node > 1 {
        source["ranks_per_node"] = ranks_per_node.into();
    }
    let map = file.input.check(map.with_source(source.to_string()))?;
    file.faults(&file.findings()).iter().for_each(|fault| output::warn_report(fault));
    output.write(&file.input.check(map.to_file())?)
}
