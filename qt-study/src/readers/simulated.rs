//! Simulated times by algorithm and segment size: in microseconds, of the last rank of each call.

use std::io::BufRead;

use qtdec_core::Problem;
use qtdec_times::collective::natural_basis_or_buffer;

use super::Format;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableSpec};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format {
    has_columns: true,
    ..Format::new(
        "simulated",
        |head| head.lines().next().is_some_and(|header| header.trim_end() == HEADER),
        read,
    )
};

/// The first line of a file.
const HEADER: &str = "collective,algorithm,segment_size,comm_size,msg_size,time_us";

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let table = TableSpec {
        columns: "comm_size=comm_size,msg_size=msg_size,method=algorithm,segment_size=segment_size,time=time_us,collective=collective",
        unit: Some(TimeUnit::Microseconds),
        ranks: Some("max"),
        counted: Some(|collective, _| Some(Counted::Of(natural_basis_or_buffer(collective?)))),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}
