//! Conversion of a measuring tool's rows to a network.

use std::str::FromStr;

use qtdec_core::json::quoted;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use super::format::Import;
use super::{Description, Network, Point, Unit};

/// A point and its line number.
pub(super) struct MeasuredPoint {
    pub(super) line: u64,
    pub(super) point: Point,
}

/// The numbered fields of one line.
pub(super) struct Fields<'t> {
    pub(super) line: u64,
    pub(super) fields: Vec<&'t str>,
}

impl Fields<'_> {
    /// Returns a field as a number, which may be NaN or infinite if it is not a whole one; `what` names it in errors.
    pub(super) fn number<T: FromStr>(&self, index: usize, what: &str, check: &mut Diagnostics) -> Option<T> {
        let found = self.fields[index];
        let number = found.parse().ok();
        if number.is_none() {
            check.add_with(|| {
                let message = format!("column {}, {what}, is `{found}`, which is not a number", index + 1);
                Problem::new(Place::Line(self.line), message)
            });
        }
        number
    }
}

/// Returns the data lines of a text, split at whitespace. Each must have at least `columns` fields.
pub(super) fn data<'t>(text: &'t str, columns: usize, check: &mut Diagnostics) -> Vec<Fields<'t>> {
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        if fields.len() < columns {
            check.add_with(|| {
                let message = format!("the line has {} of {columns} columns", fields.len());
                Problem::new(Place::Line(line), message).help("was the file cut off?")
            });
        } else {
            rows.push(Fields { line, fields });
        }
    }
    rows
}

/// Returns the usable rows, sorted by size, and notes what happened to the others.
///
/// Rows without a positive gap are omitted, negative overheads become 0, and the last of several rows of one size is kept.
pub(super) fn usable(rows: Vec<MeasuredPoint>, notes: &mut Vec<Problem>) -> Vec<MeasuredPoint> {
    let mut dropped = Lines::default();
    let mut clamped = Lines::default();
    let mut usable = Vec::with_capacity(rows.len());
    for mut row in rows {
        let Point { gap, send, receive, .. } = row.point;
        if !(gap.is_finite() && gap > 0.0 && send.is_finite() && receive.is_finite()) {
            dropped.add(row.line);
            continue;
        }
        if send < 0.0 || receive < 0.0 {
            clamped.add(row.line);
            row.point.send = send.max(0.0);
            row.point.receive = receive.max(0.0);
        }
        usable.push(row);
    }
    dropped.note("points without a gap above 0 or without overheads are omitted", notes);
    clamped.note("a negative overhead is replaced by 0", notes);
    if !usable.is_sorted_by_key(|row| row.point.bytes) {
        notes.push(Problem::new(Place::File, "the sizes were not in order, and have been sorted"));
    }
    usable.sort_by_key(|row| row.point.bytes);
    let mut repeated = Lines::default();
    let mut rows: Vec<MeasuredPoint> = Vec::with_capacity(usable.len());
    for row in usable {
        if let Some(last) = rows.last_mut().filter(|last| last.point.bytes == row.point.bytes) {
            repeated.add(last.line);
            *last = row;
        } else {
            rows.push(row);
        }
    }
    repeated.note("the size is repeated: the last of its lines is used", notes);
    rows
}

pub(super) fn network(
    unit: Unit,
    latency: f64,
    rows: &[MeasuredPoint],
    tool: &str,
    notes: Vec<Problem>,
) -> Result<Import, Problems> {
    let points = rows.iter().map(|row| row.point).collect();
    let source = format!("{{ \"measured_with\": {} }}", quoted(tool));
    let description = Description { source: Some(source), ..Description::new(unit, latency, points) };
    Ok(Import { network: Network::new(description)?, notes })
}

/// Lines that share a fault, which is reported once.
#[derive(Default)]
struct Lines {
    first: Option<u64>,
    count: usize,
}

impl Lines {
    fn add(&mut self, line: u64) {
        self.first.get_or_insert(line);
        self.count += 1;
    }

    fn note(&self, message: &str, notes: &mut Vec<Problem>) {
        let Some(first) = self.first else { return };
        let message = match self.count {
            1 => message.to_owned(),
            count => format!("{message} (this line and {} others)", count - 1),
        };
        notes.push(Problem::new(Place::Line(first), message));
    }
}
