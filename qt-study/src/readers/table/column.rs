//! The columns of a table, and their contents.

use std::cell::{Cell, OnceCell, RefCell};

use csv::ByteRecord;
use indexmap::IndexSet;
use qtdec_core::listing::{listed, shortened};
use qtdec_core::{Diagnostics, Message, Place, Problem};
use qtdec_times::collective::is_known;

use super::names::{is_of_mpi, plain};
use super::rates::{is_rate, is_time};
use super::shape::{Names, Shape};
use super::units;
use crate::readers::advice;
use crate::readers::argument::is_label;
use crate::readers::collective_name;
use crate::readers::columns::SIZES;
use crate::readers::lines::{self, Time};
use crate::readers::options::ReadOptions;
use crate::readers::path::PathPattern;
use crate::readers::sink::FileSink;
use crate::size::size;
use qtdec_times::faults::Faults;

pub(super) struct Column {
    pub(super) index: usize,
    pub(super) name: String,
    /// Whether a comma may be the decimal mark.
    decimal_comma: bool,
    /// The decimal mark in the rows so far.
    mark: Cell<Option<char>>,
}

/// The properties of a file's columns, and a lookup that records the missing ones.
pub(super) struct Header<'h> {
    pub(super) names: &'h ByteRecord,
    pub(super) line: u64,
    /// Whether a comma may be the decimal mark, as it may if `;` separates columns.
    pub(super) decimal_comma: bool,
    pub(super) shape: &'h Shape,
    missing: RefCell<IndexSet<String>>,
    /// Whether a required column was found.
    found: Cell<bool>,
    /// The columns that name units.
    units: OnceCell<Vec<usize>>,
}

impl<'h> Header<'h> {
    pub(super) fn new(names: &'h ByteRecord, line: u64, decimal_comma: bool, shape: &'h Shape) -> Self {
        let (missing, found, units) = Default::default();
        Self { names, line, decimal_comma, shape, missing, found, units }
    }

    /// Returns the columns that name units.
    pub(super) fn unit_columns(&self) -> &[usize] {
        self.units.get_or_init(|| units::unit_columns(self))
    }

    /// Returns the names as text, whatever is not UTF-8.
    fn texts(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| String::from_utf8_lossy(name).into_owned())
    }

    /// Returns the column with a name, or otherwise the only one whose name differs only in case and unit.
    pub(super) fn find(&self, name: &str) -> Option<Column> {
        let columns = self.names;
        let exactly = columns.iter().position(|column| column == name.as_bytes());
        let index = exactly.or_else(|| self.nearly(name)).or_else(|| self.by_number(name))?;
        Some(Column {
            index,
            name: String::from_utf8_lossy(&columns[index]).into_owned(),
            decimal_comma: self.decimal_comma,
            mark: Cell::new(None),
        })
    }

    fn nearly(&self, name: &str) -> Option<usize> {
        let wanted = plain(name);
        let like = |column: &[u8]| str::from_utf8(column).is_ok_and(|column| plain(column) == wanted);
        let mut found = self.names.iter().enumerate().filter(|(_, column)| like(column));
        found.next().filter(|_| found.next().is_none()).map(|(index, _)| index)
    }

    /// Returns the column with a number. A comment may not contain names after all, so numbers are always accepted there.
    fn by_number(&self, name: &str) -> Option<usize> {
        let number = name.parse::<usize>().ok().filter(|_| self.shape.names != Names::FirstRow)?;
        number.checked_sub(1).filter(|index| *index < self.names.len())
    }

    /// Returns whether a column may hold times, and reports it if its name says that it holds rates.
    pub(super) fn holds_times(&self, column: &Column, check: &mut Diagnostics) -> bool {
        if !is_rate(&column.name) || units::are_named(self, column) {
            return true;
        }
        let times: Vec<String> = self.texts().filter(|name| is_time(name)).collect();
        let message =
            format!("`{}` holds rates, not times: as times, the slowest would win", shortened(&column.name));
        let help = if times.is_empty() {
            "no column is called like a time: add one with the times, or rename this one if it holds times"
                .to_owned()
        } else {
            advice::columns_of_times(&times)
        };
        check.add(self.fault(message).help(help));
        false
    }

    /// Returns the values of a column in the first rows, except empty ones.
    pub(super) fn values(&self, at: usize) -> impl Iterator<Item = &'h str> + Clone {
        let rows = self.shape.rows.iter().filter(|row| row.len() == self.names.len());
        rows.map(move |row| row[at].as_str()).filter(|text| !text.is_empty())
    }

    pub(super) fn fault(&self, message: impl Into<Message>) -> Problem {
        Problem::new(Place::Line(self.line), message)
    }

    /// Returns whether a column has labels in the first rows, or reports that it has both labels and sizes.
    pub(super) fn has_labels(&self, axis: &str, column: &Column, check: &mut Diagnostics) -> bool {
        if SIZES.contains(&axis) {
            return false;
        }
        let values = self.shape.rows.iter().filter_map(|row| row.get(column.index));
        let mut values = values.filter(|text| !text.is_empty());
        let label = values.clone().find(|text| is_label(text));
        // A few words among sizes are faults of their rows.
        let labels = values.clone().filter(|text| is_label(text)).count();
        if labels < values.clone().filter(|text| size(text).is_some()).count() {
            return false;
        }
        let number = values.find(|text| size(text).is_some());
        if let (Some(label), Some(number)) = (label, number) {
            let message = format!(
                "`{}` is `{}` in some rows and `{}` in others",
                shortened(&column.name),
                shortened(label),
                shortened(number)
            );
            check.add(
                self.fault(message).help("an axis has either sizes or labels, which begin with a letter"),
            );
        }
        label.is_some()
    }

    pub(super) fn is_of_mpi(&self, options: &ReadOptions) -> bool {
        let is_call = |row: &Vec<String>| row.iter().any(|text| text.starts_with("MPI_"));
        let has_collectives = |at: usize| {
            let mut values = self.shape.rows.iter().filter_map(|row| row.get(at)).peekable();
            values.peek().is_some() && values.all(|text| is_known(&collective_name(text)))
        };
        options_of_mpi(options)
            || self.texts().any(|name| is_of_mpi(&name))
            || self.shape.rows.iter().any(is_call)
            || (0..self.names.len()).any(has_collectives)
    }

    pub(super) fn require(&self, name: &str, check: &mut Diagnostics) -> Option<Column> {
        let found = self.find(name);
        self.found.set(self.found.get() || found.is_some());
        if found.is_none() {
            self.missing.borrow_mut().insert(name.to_owned());
        } else if self.names.iter().filter(|column| *column == name.as_bytes()).count() > 1 {
            let problem = self.fault(format!("two columns are called `{name}`"));
            check.add(problem.help("give them different names"));
        }
        found
    }

    /// Returns a column. One that the user names must exist; one that only the format names may be missing.
    pub(super) fn optional(
        &self,
        requested: Option<&String>,
        known: Option<&String>,
        check: &mut Diagnostics,
    ) -> Option<Column> {
        match requested {
            Some(name) => self.require(name, check),
            None => known.and_then(|name| self.find(name)),
        }
    }

    /// Returns whether not one of the required columns is there, as in a table of something else.
    pub(super) fn is_foreign(&self) -> bool {
        !self.found.get() && !self.missing.borrow().is_empty()
    }

    /// Returns the fault of all required columns that are missing, with the first value of every column.
    pub(super) fn missing(&self, doubt: Option<&str>, of_mpi: bool) -> Option<Problem> {
        let missing = self.missing.borrow();
        if missing.is_empty() {
            return None;
        }
        if self.shape.rows.is_empty() && self.shape.names == Names::FirstRow {
            let problem = self.fault("the table has only a header, and no times");
            return Some(problem.help("write a row for each time"));
        }
        let names: Vec<String> = self.texts().collect();
        if missing.contains("time")
            && !names.iter().any(|name| is_time(name))
            && let Some(rate) = names.iter().find(|name| is_rate(name))
        {
            let message = format!("there is no column of times, and `{}` holds rates", shortened(rate));
            let help = "a map is made of times: write the time of a call in place of its rate";
            return Some(self.fault(message).help(help));
        }
        // The axes of MPI are missing in its tables alone.
        let is_told = |name: &&String| of_mpi || !SIZES.contains(&&***name);
        let missing: Vec<String> = missing.iter().filter(is_told).map(|name| format!("`{name}`")).collect();
        let what = match (doubt, &missing[..]) {
            (Some(doubt), _) => doubt.to_owned(),
            (None, []) => "no column is named as an axis".to_owned(),
            (None, [one]) => format!("there is no column {one}"),
            (None, several) => format!("there are no columns {}", several.join(", ")),
        };
        let first = self.shape.rows.iter().find(|row| row.len() == names.len());
        let value = |at: usize| first.map_or_else(String::new, |row| format!(" ({})", shortened(&row[at])));
        let shown = names.iter().enumerate().map(|(at, name)| format!("{}{}", shortened(name), value(at)));
        let shown = listed(&shown.collect::<Vec<_>>());
        if let Names::Nowhere(number) = self.shape.names {
            let message =
                format!("{what}: the first row is not a header, and the {number} columns have no names");
            return Some(self.fault(message).help(advice::numbers_of_columns(&shown)));
        }
        let is_text = self.names.iter().all(|name| str::from_utf8(name).is_ok());
        Some(self.fault(what).help(advice::names_of_columns(&shown, is_text)))
    }
}

const COLLECTIVE: &str = "collective";

fn options_of_mpi(options: &ReadOptions) -> bool {
    let ReadOptions { collective, fixed, path, .. } = options;
    let names = path.iter().flat_map(PathPattern::names).chain(fixed.keys().map(String::as_str));
    collective.is_some() || names.into_iter().any(|name| name == COLLECTIVE || SIZES.contains(&name))
}

impl Column {
    pub(super) fn text<'r>(&self, row: &'r ByteRecord, faults: &mut Faults) -> Option<&'r str> {
        let text = self.utf8(row).filter(|text| !text.is_empty());
        if text.is_none() {
            self.refuse(row, "a name in UTF-8", faults);
        }
        text
    }

    pub(super) fn refuse(&self, row: &ByteRecord, expected: &str, faults: &mut Faults) {
        let found = String::from_utf8_lossy(&row[self.index]);
        let message = Message::from(format!("`{}` is `", shortened(&self.name))).value(shortened(&found));
        let message = message.text(format!("`, not {expected}"));
        let problem = Problem::new(Place::Line(line(row)), message);
        faults.add(match written_otherwise(units::split(&found).0) {
            Some(help) => problem.help(help),
            None => problem,
        });
    }

    pub(super) fn size(&self, row: &ByteRecord, faults: &mut Faults) -> Option<u64> {
        let size = self.utf8(row).and_then(size);
        if size.is_none() {
            self.refuse(row, "a whole number", faults);
        }
        size
    }

    /// Parses a number above 0, which may have a unit. A column has a single decimal mark; the other character may separate thousands.
    pub(super) fn number<'r>(
        &self,
        row: &'r ByteRecord,
        sink: &mut FileSink<'_, '_>,
    ) -> Option<(f64, Option<&'r str>)> {
        let (text, unit) = units::split(self.utf8(row).unwrap_or_default());
        let mark = text.chars().find(|mark| [',', '.'].contains(mark));
        let time = match mark {
            Some(',') if self.decimal_comma && !text.contains('.') => {
                lines::time(&text.replacen(',', ".", 1))
            }
            _ => lines::time(text),
        };
        let time = match time {
            Time::Above(time) => time,
            Time::Missing if str::from_utf8(&row[self.index]).is_ok() => {
                sink.missing_time();
                return None;
            }
            Time::Missing | Time::No => {
                self.refuse(row, "a time above 0", &mut sink.faults);
                return None;
            }
        };
        let before = self.mark.get().or(mark);
        if mark.is_some() && mark != before {
            let other = if mark == Some(',') { "point" } else { "comma" };
            let message = Message::from(format!("`{}` is `", self.name)).value(text);
            let message = message.text(format!("`, but a {other} precedes the decimals above"));
            let help = "write all numbers with the same decimal mark, and none between thousands";
            sink.faults.add(Problem::new(Place::Line(line(row)), message).help(help));
            return None;
        }
        self.mark.set(before);
        Some((time, unit))
    }

    fn utf8<'r>(&self, row: &'r ByteRecord) -> Option<&'r str> {
        str::from_utf8(&row[self.index]).ok()
    }
}

pub(super) fn line(row: &ByteRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}

/// Returns how to write a number that uses another notation.
fn written_otherwise(text: &str) -> Option<&'static str> {
    let is_digit = |character: char| character.is_ascii_digit();
    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let marks = |character: &char| !character.is_ascii_digit();
    let is_separator = |mark: char| [',', '.', '\'', '’', '_'].contains(&mark) || mark.is_whitespace();
    let groups: Vec<&str> = text.split(|character| !is_digit(character)).collect();
    let by_thousands = groups[1..].iter().all(|group| group.len() == 3) && groups[0].len() <= 3;
    match text.chars().filter(marks).collect::<Vec<char>>()[..] {
        [] => None,
        ['.'] if !by_thousands => None,
        [','] if !by_thousands => Some("write a decimal point"),
        ref marks if marks.iter().all(|&mark| is_separator(mark)) => {
            Some("write numbers without thousands separators, and with a decimal point")
        }
        _ => None,
    }
}
