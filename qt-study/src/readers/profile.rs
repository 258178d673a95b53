//! The profile of `libqtdec_profile.so`: the mean time of a program's own calls at each size, so that two runs can be compared.
//!
//! The method is whatever ran, called `observed`. Calls with different roots count together. Seconds are those of rank 0, and with them
//! what it waited for others.

use std::collections::BTreeMap;
use std::io::BufRead;

use qtdec_core::{Method, Problem};
use qtdec_times::collective::natural_basis;

use super::lines::{each, unexpected};
use super::sink::{FileRow, FileSink, Measured, MethodOf, Section};
use super::{Counted, Format, collective_name};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format::new("profile", recognises, read);

const HEADER: &str = "collective,comm_size,msg_size,root,count,seconds";

/// The method of all times.
const OBSERVED: &str = "observed";

fn recognises(head: &str) -> bool {
    head.lines().find(|line| !line.starts_with('#')).is_some_and(|line| line.starts_with(HEADER))
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
    each(input, |line, text| {
        if text.starts_with('#') || text.starts_with(HEADER) || text.trim().is_empty() {
            return Ok(());
        }
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let [collective, comm_size, msg_size, _, count, seconds, ..] = fields[..] else {
            return Err(unexpected(line, text, "a row of a profile"));
        };
        let whole = |field: &str| field.parse::<u64>().map_err(|_| unexpected(line, field, "a whole number"));
        let mut sizes = vec![whole(comm_size)?];
        if !msg_size.is_empty() {
            sizes.push(whole(msg_size)?);
        }
        let Some(seconds) = sink.time(line, seconds, "a number of seconds") else { return Ok(()) };
        let calls = all.entry(collective_name(collective)).or_default().entry(sizes).or_default();
        *calls = Calls { line, count: calls.count + whole(count)?, seconds: calls.seconds + seconds };
        Ok(())
    })?;
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
