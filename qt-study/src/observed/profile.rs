//! Profiles as CSV: what `libqtdec_profile.so` writes, and what [`Observed::to_csv`] returns.

use std::io::BufRead;

use qtdec_core::{Place, Problem};
use qtdec_times::faults::Faults;

use super::{Format, Kind, Observed};
use crate::profile::unreadable;
use crate::readers::collective_name;

pub(super) const FORMAT: Format = Format { about: "the profile of libqtdec_profile.so", recognises, read };

fn recognises(head: &str) -> bool {
    has_columns(head, &["collective", "comm_size", "msg_size", "count"])
}

/// Returns whether the header of a file has these columns.
pub(crate) fn has_columns(head: &str, names: &[&str]) -> bool {
    let header = head.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    names.iter().all(|name| header.split(',').any(|column| column.trim() == *name))
}

fn read(input: &mut dyn BufRead, observed: &mut Observed) -> Result<(), Problem> {
    let mut faults = std::mem::take(&mut observed.faults);
    let read = rows(input, &mut faults, |Row { kind, count, seconds, .. }| {
        if let Some(seconds) = seconds.and_then(|text| text.parse::<f64>().ok()) {
            let spent = observed.spent.entry(kind.collective.clone()).or_default();
            *spent = (spent.0.saturating_add(count), spent.1 + seconds);
        }
        observed.add(kind, Some(count));
    });
    observed.faults = faults;
    read
}

/// A row of a profile.
pub(crate) struct Row<'r> {
    pub(crate) line: u64,
    pub(crate) kind: Kind,
    pub(crate) count: u64,
    /// The seconds in all calls of the row, if the profile has them.
    pub(crate) seconds: Option<&'r str>,
}

/// Passes on every row that says how many calls there were. Numbers that are none are faults.
///
/// # Errors
///
/// Fails if the file is no CSV.
pub(crate) fn rows(
    input: &mut dyn BufRead,
    faults: &mut Faults,
    mut take: impl FnMut(Row<'_>),
) -> Result<(), Problem> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(input);
    let header = reader.headers().map_err(unreadable)?.clone();
    let at = |name: &str| header.iter().position(|column| column == name);
    let (collective, comm_size, msg_size) = (at("collective"), at("comm_size"), at("msg_size"));
    let (method, count, seconds) = (at("method"), at("count"), at("seconds"));
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let line = record.position().map_or(0, csv::Position::line);
        let text = |at: Option<usize>| at.and_then(|at| record.get(at)).filter(|text| !text.is_empty());
        let mut whole = |name: &str, at| whole(name, text(at)?, line, faults);
        let (comm_size, msg_size) = (whole("comm_size", comm_size), whole("msg_size", msg_size));
        let Some(count) = whole("count", count) else { continue };
        let kind = Kind {
            collective: collective_name(text(collective).unwrap_or_default()),
            comm_size,
            msg_size,
            method: text(method).map(str::to_owned),
        };
        take(Row { line, kind, count, seconds: text(seconds) });
    }
    Ok(())
}

fn whole(name: &str, text: &str, line: u64, faults: &mut Faults) -> Option<u64> {
    let number = text.parse::<u64>().ok();
    if number.is_none() {
        let message = format!("`{name}` is `{text}`, not a whole number");
        faults.add(Problem::new(Place::Line(line), message));
    }
    number
}
