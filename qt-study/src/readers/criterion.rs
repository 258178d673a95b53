//! criterion's samples, `raw.csv`: <https://bheisler.github.io/criterion.rs/book/user_guide/csv_output.html>.
//!
//! It has one row per sample, with the total time of a number of iterations in nanoseconds. The function is the method; its
//! argument is the axis `value`, unless `--columns` or the path name the axes.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::sink::FileSink;
use super::table::{self, TableSpec};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format =
    Format { is_copy, has_columns: true, ..Format::new("criterion", recognises, read) };

/// After each run, criterion copies `new/raw.csv` to `base/raw.csv`.
fn is_copy(path: &str) -> bool {
    path.ends_with("/base/raw.csv")
}

fn recognises(head: &str) -> bool {
    let header = head.lines().next().unwrap_or_default();
    header.starts_with("group,function,value,") && header.contains("sample_measured_value")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let named = !sink.options.columns.axes.is_empty() || !sink.known.sizes.is_empty();
    let columns = "method=function,time=sample_measured_value";
    let table = TableSpec {
        columns: if named { columns } else { &format!("value=value,{columns}") },
        unit: Some(TimeUnit::Nanoseconds),
        calls: Some("iteration_count"),
        valid: Some(("unit", "ns")),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}
