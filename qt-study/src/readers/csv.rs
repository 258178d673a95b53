//! CSV, TSV and whitespace-separated tables: a row for each time, or a column of times for each method.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::axis_name::SIZES;
use super::columns::Columns;
use super::sink::FileSink;
use super::table::{self, TableDialect, TableSpec};

/// CSV and TSV. Columns that the user does not name have the names of their contents, or are recognised if they can be nothing else.
pub(super) struct Csv;

struct PlainDialect;

impl TableDialect for PlainDialect {}

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        table::is_table(head)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let itself = |name: &str| (name.to_owned(), name.to_owned());
        let time = sink.file.options.columns.time.clone().unwrap_or_else(|| "time".to_owned());
        let columns = Columns {
            axes: SIZES.map(itself).into(),
            method: vec!["method".to_owned()],
            segment_size: Some("segment_size".to_owned()),
            time: Some(time),
            collective: Some("collective".to_owned()),
            run: Some("run".to_owned()),
            ..Columns::default()
        };
        let table = TableSpec {
            columns,
            replaceable_axes: true,
            has_own_names: true,
            in_elements: sink.file.options.element_size.is_some(),
            ..TableSpec::new(&PlainDialect)
        };
        table::read(input, &table, sink)
    }
}
