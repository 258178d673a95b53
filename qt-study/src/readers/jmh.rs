//! JMH's CSV: <https://github.com/openjdk/jmh>, `-rf csv`.
//!
//! It has one row per benchmark and point, with the mean of its iterations in a unit of its own. Parameters that change are axes; a
//! throughput becomes the time of an operation.

use std::io::BufRead;

use qtdec_core::Problem;
use qtdec_core::naming::is_identifier;

use super::Format;
use super::columns::{axis_name, key_of_axis};
use super::lines::unreadable;
use super::sink::FileSink;
use super::table::{self, TableSpec};

pub(super) const FORMAT: Format = Format { has_columns: true, ..Format::new("jmh", recognises, read) };

const PARAMETER: &str = "Param: ";

fn recognises(head: &str) -> bool {
    let header = head.lines().next().unwrap_or_default().replace('"', "");
    header.starts_with("Benchmark,Mode,Threads,Samples,Score,")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let axes = axes(input.fill_buf().map_err(unreadable)?);
    let table = TableSpec {
        columns: &(axes + "method=Benchmark,time=Score"),
        replaceable_axes: true,
        left_out: Some(("Benchmark", is_of_another_result)),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}

/// Returns whether a name is that of a percentile, a part of a group or a profiler's result: `sort:p0.99`, `sort:gc.alloc.rate`.
fn is_of_another_result(name: &str) -> bool {
    name.contains(':')
}

/// Returns the parameters that change in the first rows, or all of them if none does, as the beginning of the columns.
fn axes(start: &[u8]) -> String {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(start);
    let names = rows.headers().cloned().unwrap_or_default();
    let rows: Vec<csv::StringRecord> =
        rows.records().flatten().filter(|row| row.len() == names.len()).collect();
    let changes = |at: &usize| rows.iter().any(|row| row.get(*at) != rows[0].get(*at));
    let key = |at: usize| {
        names.get(at)?.strip_prefix(PARAMETER).filter(|name| is_identifier(name)).map(key_of_axis)
    };
    let parameters: Vec<usize> =
        (0..names.len()).filter(|at| key(*at).is_some_and(|key| axis_name(&key).is_ok())).collect();
    let changing: Vec<usize> = parameters.iter().copied().filter(changes).collect();
    let axes = if changing.is_empty() { parameters } else { changing };
    axes.into_iter().filter_map(|at| Some(format!("{}={},", key(at)?, &names[at]))).collect()
}
