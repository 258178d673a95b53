//! The profile of `libqtdec_profile.so`: the mean time of a program's own calls at each size, so that two runs can be compared.
//!
//! The method is whatever ran, called `observed`. Calls with different roots count together. Seconds are those of rank 0, and with them
//! what it waited for others.

use std::collections::BTreeMap;
use std::io::BufRead;

use qtdec_core::{Method, Problem};
use qtdec_times::collective::natural_basis;
use qtdec_times::faults::Faults;

use super::sink::{FileRow, FileSink, Measured, MethodOf, Section};
use super::{Counted, Format};
use crate::measurements::TimeUnit;
use crate::observed::profile::{Row, has_columns, rows};

pub(super) const FORMAT: Format = Format::new("profile", recognises, read);

/// The method of all times.
const OBSERVED: &str = "observed";

/// The memory use of a point, with its sizes and a share of the tree.
const BYTES_OF_A_POINT: usize = size_of::<(Vec<u64>, Calls)>() + 64;

/// A file with a method in each row is a table of times like others.
fn recognises(head: &str) -> bool {
    has_columns(head, &["collective", "comm_size", "msg_size", "root", "count", "seconds"])
        && !has_columns(head, &["method"])
}

/// The calls of one collective at one point.
#[derive(Default)]
struct Calls {
    line: u64,
    count: u64,
    seconds: f64,
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut all: BTreeMap<String, BTreeMap<Vec<u64>, Calls>> = BTreeMap::new();
    let (mut faults, mut points) = (Faults::default(), 0);
    rows(input, &mut faults, |Row { line, kind, count, seconds }| {
        let seconds = seconds.and_then(|text| sink.time(line, text, "a number of seconds"));
        let (Some(comm_size), Some(seconds)) = (kind.comm_size, seconds) else { return };
        let sizes = [comm_size].into_iter().chain(kind.msg_size).collect();
        let calls = all.entry(kind.collective).or_default().entry(sizes).or_default();
        points += usize::from(calls.count == 0);
        let (count, seconds) = (calls.count.saturating_add(count), calls.seconds + seconds);
        *calls = Calls { line, count, seconds };
        sink.takes(points * BYTES_OF_A_POINT);
    })?;
    if let Err(problems) = faults.finish() {
        sink.faults.note(&problems);
        return Ok(());
    }
    for (collective, points) in &all {
        let Some(part) = sink.part(Some(collective)) else { continue };
        let axes = points.keys().map(Vec::len).min().unwrap_or_default();
        let section = Section {
            axes: &["comm_size", "msg_size"][..axes],
            counted: natural_basis(collective).map(Counted::Of),
            unit: Some(TimeUnit::Seconds),
            method: MethodOf::Row,
            ..Section::default()
        };
        let Some(mut rows) = sink.begin(part, section) else { return Ok(()) };
        let method = sink.method(part, Method::new(OBSERVED));
        for (sizes, calls) in points.iter().filter(|(_, calls)| calls.count > 0) {
            // A run of the program is one launch, of which the mean is the one time.
            let mean = Measured::Repeat(calls.seconds / calls.count as f64);
            let row = FileRow::new(calls.line, &sizes[..axes], mean);
            sink.row(&mut rows, &FileRow { method: Some(method), ..row });
        }
    }
    Ok(())
}
