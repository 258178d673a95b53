//! criterion's samples, `raw.csv`: <https://bheisler.github.io/criterion.rs/book/user_guide/csv_output.html>.
//!
//! It has one row per sample, with the total time of a number of iterations in nanoseconds. The function is the method; its
//! argument is the axis `value`, unless `--columns` or the path name the axes.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::columns::Columns;
use super::sink::FileSink;
use super::table::{self, TableDialect, TableSpec};
use crate::measurements::TimeUnit;

pub(super) struct Criterion;

impl Format for Criterion {
    fn name(&self) -> &'static str {
        "criterion"
    }

    /// After each run, criterion copies `new/raw.csv` to `base/raw.csv`.
    fn is_copy(&self, path: &str) -> bool {
        path.ends_with("/base/raw.csv")
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        let header = head.lines().next().unwrap_or_default();
        header.starts_with("group,function,value,") && header.contains("sample_measured_value")
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let named = !sink.file.options.columns.axes.is_empty() || !sink.file.known.sizes().is_empty();
        let value = ("value".to_owned(), "value".to_owned());
        let table = TableSpec {
            columns: Columns {
                axes: if named { Vec::new() } else { vec![value] },
                method: vec!["function".to_owned()],
                time: Some("sample_measured_value".to_owned()),
                ..Columns::default()
            },
            unit: Some(TimeUnit::Nanoseconds),
            calls: Some("iteration_count"),
            valid: Some(("unit", "ns")),
            ..TableSpec::new(self)
        };
        table::read(input, &table, sink)
    }
}

impl TableDialect for Criterion {}
