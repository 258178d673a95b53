//! Units of single values: in their cells, as in `59.28us`, or in a column that names them.

use std::collections::HashMap;

use csv::ByteRecord;
use qtdec_core::listing::shortened;
use qtdec_core::{Message, Place, Problem};

use super::column::{Column, Header, line};
use super::names::{self, plain, unit_of_time};
use super::rates::{is_time, is_unit_of_rates};
use crate::measurements::TimeUnit;
use crate::readers::benchmarks::valid;
use crate::readers::has;
use crate::readers::lines::{self, Time};
use crate::readers::sink::FileSink;

/// What values count.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// Times, by the number of nanoseconds in the unit.
    Time(f64),
    /// Operations in this number of nanoseconds.
    Rate(f64),
}

/// Words for one call of what is measured.
const OPERATIONS: &str =
    "op ops operation operations call calls it iter iters iteration iterations run runs 1";

impl Unit {
    /// Parses `us`, `µs/op`, `ops/ms`, `it/s`.
    fn parse(text: &str) -> Option<Self> {
        let lower = text.trim().to_lowercase().replace(" per ", "/");
        let Some((counted, per)) = lower.split_once('/') else { return nanoseconds(&lower).map(Self::Time) };
        let (counted, per) = (counted.trim(), per.trim());
        if has(OPERATIONS, per) {
            return nanoseconds(counted).map(Self::Time);
        }
        let multiples = [("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9)];
        let is_multiple =
            |prefix: &str| counted.strip_prefix(prefix).is_some_and(|word| has(OPERATIONS, word));
        let (_, number) = multiples.into_iter().find(|(prefix, _)| is_multiple(prefix))?;
        nanoseconds(per).map(|nanoseconds| Self::Rate(nanoseconds / number))
    }

    /// Returns the time of a value; that of a rate is the time of one operation.
    fn time(self, value: f64, unit: TimeUnit) -> f64 {
        let nanoseconds = unit.in_units_of(TimeUnit::Nanoseconds);
        match self {
            Self::Time(own) if own < nanoseconds => value / (nanoseconds / own),
            Self::Time(own) => value * (own / nanoseconds),
            Self::Rate(own) => own / nanoseconds / value,
        }
    }

    /// Returns the largest unit of times that is not longer than this one.
    fn of_times(self) -> TimeUnit {
        let (Self::Time(own) | Self::Rate(own)) = self;
        let units = TimeUnit::ALL.into_iter().map(|(_, unit)| unit);
        let mut fitting = units.filter(|unit| unit.in_units_of(TimeUnit::Nanoseconds) <= own);
        fitting.next().unwrap_or(TimeUnit::Nanoseconds)
    }
}

fn nanoseconds(word: &str) -> Option<f64> {
    Some(match word {
        "ps" | "picoseconds" => 1e-3,
        "min" | "mins" | "minute" | "minutes" => 60e9,
        "h" | "hr" | "hour" | "hours" => 3600e9,
        "day" | "days" => 86_400e9,
        word => unit_of_time(word)?.in_units_of(TimeUnit::Nanoseconds),
    })
}

/// Splits a value from its unit, and from its deviation: `1.02 ms`, `1.02 ms ± 0.3 ms`, `1.02 ± 0.3`.
pub(super) fn split(cell: &str) -> (&str, Option<&str>) {
    let (value, deviation) = cell.split_once('±').unwrap_or((cell, ""));
    match (without_unit(value), without_unit(deviation)) {
        ((number, None), (_, Some(unit))) => (number, Some(unit)),
        (value, _) => value,
    }
}

/// Splits a number from its unit, which begins with a letter or a stroke: other characters may separate thousands.
fn without_unit(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    let is_of_number = |character: char| character.is_ascii_digit() || ".,+-eE".contains(character);
    let end = text.find(|character| !is_of_number(character)).unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let is_unit = unit.starts_with(|character: char| character.is_alphabetic() || character == '/');
    if is_unit && number.contains(|character: char| character.is_ascii_digit()) {
        (number, Some(unit))
    } else {
        (text, None)
    }
}

/// Returns the time in a cell with or without a unit, as far as the cell tells.
pub(super) fn time(cell: &str) -> Time {
    match split(cell) {
        (_, Some(unit)) if !is_unit(unit) => Time::No,
        (number, _) => lines::time(number),
    }
}

fn is_unit(text: &str) -> bool {
    Unit::parse(text).is_some() || split(text).1.is_none() && is_unit_of_rates(text)
}

/// Returns the columns that name units, in all first rows or by their own names.
pub(super) fn unit_columns(header: &Header<'_>) -> Vec<usize> {
    let is_named = |name: &str| has("unit units", plain(name).rsplit('_').next().unwrap_or_default());
    // Other columns may have these as labels.
    let is_unmistakable = |text: &str| text.len() > 1 && text != "min";
    let names = header.names.iter().map(|name| str::from_utf8(name).unwrap_or_default());
    let columns = names.enumerate().filter(|(at, name)| {
        let values: Vec<&str> = header.values(*at).collect();
        // The last row may be truncated.
        let whole = &values[..values.len().saturating_sub(1).max(1).min(values.len())];
        let mut units = whole.iter().filter(|text| is_unit(text)).peekable();
        units.peek().is_some()
            && (is_named(name)
                || units.any(|unit| is_unmistakable(unit)) && whole.iter().all(|text| is_unit(text)))
    });
    columns.map(|(at, _)| at).collect()
}

/// Returns the column with the units of a column: the next one, or the only one that may be.
fn unit_column(header: &Header<'_>, column: &Column) -> Result<Option<usize>, Problem> {
    let is_of_rates =
        |at: &usize| header.values(*at).all(|text| !matches!(Unit::parse(text), Some(Unit::Time(_))));
    let mut columns = header.unit_columns().to_vec();
    if columns.contains(&(column.index + 1)) {
        return Ok(Some(column.index + 1));
    }
    columns.retain(|at| !(is_time(&column.name) && is_of_rates(at)));
    match columns[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        _ => {
            let message = format!("several columns could name the unit of `{}`", shortened(&column.name));
            Err(header.fault(message).help("place the column of units after that of the times"))
        }
    }
}

/// Returns whether the first rows name units of a column's values, each a time or a number of operations per time.
pub(super) fn are_named(header: &Header<'_>, column: &Column) -> bool {
    let at = unit_column(header, column).ok().flatten();
    let mut values = header.values(at.unwrap_or(column.index)).peekable();
    let unit = |text| if at.is_some() { Some(text) } else { split(text).1 };
    values.peek().is_some() && values.all(|text| unit(text).and_then(Unit::parse).is_some())
}

/// The units of a table's times.
pub(super) struct Units {
    /// The unit in which times are recorded.
    pub(super) recorded: Option<TimeUnit>,
    /// Whether a number without a unit is in this one.
    is_default: bool,
    /// The columns that name the units of others.
    pub(super) columns: HashMap<usize, usize>,
}

impl Units {
    /// Creates the units of columns of times, given the unit of numbers that have none.
    pub(super) fn new(
        header: &Header<'_>,
        columns: &[&Column],
        known: Option<TimeUnit>,
    ) -> Result<Self, Problem> {
        let mut units = Self { recorded: known, is_default: true, columns: HashMap::new() };
        for column in columns {
            let at = unit_column(header, column)?;
            units.columns.extend(at.map(|at| (column.index, at)));
            let mut cells = header.values(at.unwrap_or(column.index));
            let first = cells.find_map(|text| Unit::parse(if at.is_some() { text } else { split(text).1? }));
            if let (None, Some(first)) = (units.recorded, first) {
                (units.recorded, units.is_default) = (Some(first.of_times()), false);
            }
        }
        Ok(units)
    }

    /// Reads a time in the recorded unit. Operations per time become the time of one of them.
    pub(super) fn time(&self, column: &Column, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<f64> {
        let (number, own) = column.number(row, sink)?;
        let other = self.columns.get(&column.index).map(|at| str::from_utf8(&row[*at]).unwrap_or_default());
        let Some(text) = own.or(other) else {
            if !self.is_default {
                column.refuse(row, "a time with its unit, as in the rows before", &mut sink.faults);
                return None;
            }
            return Some(number);
        };
        let named = names::time_unit(&column.name).filter(|_| own.is_none());
        let fault = match (Unit::parse(text), named) {
            (Some(Unit::Time(own)), Some(named)) if own != named.in_units_of(TimeUnit::Nanoseconds) => {
                "`, but the name of the column has another one"
            }
            (_, Some(_)) => return Some(number),
            (None, None) if is_unit_of_rates(text) => {
                "`, a rate that does not tell the time of an operation: as times, the slowest would win"
            }
            (None, None) => "`, which is not a unit of times",
            (Some(unit), None) => {
                if matches!(unit, Unit::Rate(_)) {
                    let name = shortened(&column.name);
                    sink.note(format!(
                        "`{name}` counts operations in a time: the time of one operation is read"
                    ));
                }
                match self.recorded.map(|recorded| valid(unit.time(number, recorded))) {
                    Some(Some(time)) => return Some(time),
                    Some(None) => "`, in which the time is out of range",
                    None => "`, and the first rows have no units",
                }
            }
        };
        let message = Message::from("the unit is `").value(shortened(text)).text(fault);
        sink.faults.add(Problem::new(Place::Line(line(row)), message));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_times_or_operations_per_time() {
        for (cell, number, microseconds) in [
            ("59.28us", "59.28", Some(59.28)),
            ("0.68 µs", "0.68", Some(0.68)),
            ("1.02\u{a0}ms", "1.02", Some(1020.0)),
            ("1.2s", "1.2", Some(1.2e6)),
            ("2 min", "2", Some(1.2e8)),
            ("5e3ns", "5e3", Some(5.0)),
            ("4 ps", "4", Some(4e-6)),
            ("12 us/op", "12", Some(12.0)),
            ("1.5 ms ± 0.1 ms", "1.5", Some(1500.0)),
            ("1.5 ± 0.1 ms", "1.5", Some(1500.0)),
            ("4 ops/ms", "4", Some(250.0)),
            ("8 it/s", "8", Some(125_000.0)),
            ("2 Mops/s", "2", Some(0.5)),
            ("5 operations per second", "5", Some(200_000.0)),
            ("12 GB/s", "12", None),
            ("3 items/s", "3", None),
            ("3 us/byte", "3", None),
            ("3 kB", "3", None),
        ] {
            let (found, unit) = split(cell);
            let unit = unit.and_then(Unit::parse);
            let time = unit.map(|unit| unit.time(found.parse().unwrap(), TimeUnit::Microseconds));
            assert_eq!((found, time), (number, microseconds), "{cell}");
        }
        for plain in ["1.5", "1'024", "1 024", "2^10", "-nan", "1e-5", "-", "n/a", "", "fast"] {
            assert_eq!(split(plain), (plain, None));
        }
    }
}
