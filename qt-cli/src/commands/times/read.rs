//! `qtdec read`: canonical times from the output of benchmarks.

use clap::Args;

use qtdec_study::canonical::{RawHeader, Times};
use qtdec_study::launches::incomplete_in;
use qtdec_study::readers::{self, ReadOptions, some_of};
use qtdec_terminal::packed::write_times;
use qtdec_terminal::reading::ReadArguments;
use qtdec_terminal::{Failure, counted, output, pair, reported};

/// Read times of any benchmark and write them as canonical times
///
/// Canonical times, `qtdec-times/1`, are a CSV file with one row for each repeat, which every command reads without options. Comment
/// lines before the rows describe the times, the axes and the parameters of methods. The rows are sorted: equal times make equal files,
/// and canonical times remain as they are. Several files, of several collectives, make one file. Times of several machines or libraries
/// do not: choose one with --where.
///
/// The file is compressed if its name ends in .xz, .zst or .gz.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec read results/ --path '{method}_np{comm_size}.txt' --describe machine=Polaris -o times.csv.xz"
)]
pub(crate) struct Arguments {
    /// Read times from these files, folders or archives, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Write the times to this file, or - for standard output
    #[arg(short, long, value_name = "TIMES", default_value = "-")]
    output: String,

    /// Describe the times: machine, library, launcher, settings, measured, tool, or another key
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    describe: Vec<(String, String)>,

    /// Write only what precedes the rows, as JSON
    #[arg(long)]
    header: bool,

    #[command(flatten)]
    reading: ReadArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, reading, .. } = arguments;
    let output = reading.outputs(files).add(&arguments.output)?;
    let machine = arguments.describe.iter().find(|(key, _)| key == "machine");
    let options = ReadOptions { machine: machine.map(|(_, value)| value.clone()), ..reading.options() };
    let (times, notes) = ReadArguments::with(|watch| readers::times(files, &options, watch))?;
    reading.print_notes(&notes)?;
    let name = some_of(files);
    let described =
        arguments.describe.iter().try_fold(times, |times, (key, value)| times.describe(key, value));
    let times = reported(&name, described)?;
    if times.header().unit.is_none() {
        output::warn(
            "the unit of the times is not known, so that their column is called `time`: give it with --time-unit",
        );
    }
    if arguments.header {
        let declarations = times.declarations();
        let header = reported(&name, RawHeader::split(declarations.lines()))?;
        return output.write(&format!("{:#}\n", header.to_json()));
    }
    write_times(&times, &output)?;
    describe(&times, output.name());
    Ok(())
}

fn describe(times: &Times, target: &str) {
    let rows = counted(times.rows().len() as u64, "time", "times");
    let series = counted(times.series().len() as u64, "series", "series");
    let methods = counted(times.methods().len() as u64, "method", "methods");
    let launches = counted(times.launches().len() as u64, "launch", "launches");
    for launch in incomplete_in(times) {
        output::warn(&launch);
    }
    let target = if target == "-" { "standard output" } else { target };
    output::eprint(&format!("{target}: {rows} in {series} of {methods}, {launches}"));
}
