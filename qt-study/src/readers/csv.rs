//! CSV, TSV and whitespace-separated tables: a row for each time, or a column of times for each method.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::sink::FileSink;
use super::table::{self, TableSpec};

/// CSV and TSV. Columns that the user does not name have the names of their contents, or are recognised if they can be nothing else.
pub(super) const FORMAT: Format = Format { has_columns: true, ..Format::new("csv", table::is_table, read) };

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let table = TableSpec {
        columns: "comm_size=comm_size,msg_size=msg_size,method=method,segment_size=segment_size,time=time,collective=collective,run=run",
        replaceable_axes: true,
        has_own_names: true,
        in_elements: sink.options.element_size.is_some(),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}
