//! The output of `qtdec-simgrid`: times in microseconds, of the last rank of each call.

use std::io::BufRead;

use qtdec_core::Problem;
use qtdec_times::collective::natural_basis_or_buffer;

use super::Format;
use super::columns::Columns;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableDialect, TableSpec};
use crate::measurements::TimeUnit;

pub(super) struct Simulated;

/// The first line of a file.
const HEADER: &str = "collective,algorithm,segment_size,comm_size,msg_size,time_us";

impl Format for Simulated {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().next().is_some_and(|header| header.trim_end() == HEADER)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let itself = |name: &str| (name.to_owned(), name.to_owned());
        let table = TableSpec {
            columns: Columns {
                axes: vec![itself("comm_size"), itself("msg_size")],
                method: vec!["algorithm".to_owned()],
                segment_size: Some("segment_size".to_owned()),
                time: Some("time_us".to_owned()),
                collective: Some("collective".to_owned()),
                ..Columns::default()
            },
            unit: Some(TimeUnit::Microseconds),
            ranks: Some("max"),
            ..TableSpec::new(self)
        };
        table::read(input, &table, sink)
    }
}

impl TableDialect for Simulated {
    fn counted(&self, collective: Option<&str>, _names: &[&str]) -> Option<Counted> {
        Some(Counted::Of(natural_basis_or_buffer(collective?)))
    }
}
