//! The columns of a table, and their contents.

use std::cell::{Cell, RefCell};

use csv::ByteRecord;
use indexmap::IndexSet;
use qtdec_core::listing::{listed, shortened};
use qtdec_core::{Diagnostics, Message, Place, Problem};
use qtdec_times::collective::is_known;

use super::names::{SEGMENT_SIZE, guess, guess_axes, is_of_mpi, plain};
use super::rates::{is_rate, is_time};
use super::recognise::Recognised;
use super::shape::{Names, Shape};
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
}

impl<'h> Header<'h> {
    pub(super) fn new(names: &'h ByteRecord, line: u64, decimal_comma: bool, shape: &'h Shape) -> Self {
        Self { names, line, decimal_comma, shape, missing: RefCell::default(), found: Cell::new(false) }
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
        if !is_rate(&column.name) {
            return true;
        }
        let times: Vec<String> = self.texts().filter(|name| is_time(name)).collect();
        let message =
            format!("`{}` holds rates, not times: as times, the slowest would win", shortened(&column.name));
        let help = if times.is_empty() {
            "no column is called like a time: add one with the times, or rename this one if it holds times"
                .to_owned()
        } else {
            advice::columns_of_times(&listed(&times), &times[0])
        };
        check.add(self.fault(message).help(help));
        false
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
        let rows = &self.shape.rows;
        let is_call = |row: &Vec<String>| row.iter().any(|text| text.starts_with("MPI_"));
        let all: Vec<usize> = (0..self.names.len()).collect();
        options_of_mpi(options)
            || self.texts().any(|name| is_of_mpi(&name))
            || rows.iter().any(is_call)
            || position_of_collective(rows, &all).is_some()
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

    /// Returns the fault of all required columns that are missing, with a command for the file that names the likely ones.
    pub(super) fn missing(&self, wanted: &Wanted<'_>, file: &str) -> Option<Problem> {
        let missing = self.missing.borrow();
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
        let has_others = missing.iter().any(|name| !SIZES.contains(&&**name));
        let is_told =
            |name: &&String| !SIZES.contains(&&***name) || !has_others || self.is_of_mpi(wanted.options);
        let missing: Vec<String> = missing.iter().filter(is_told).map(|name| format!("`{name}`")).collect();
        let what = match &missing[..] {
            [] => return None,
            [one] => format!("there is no column {one}"),
            several => format!("there are no columns {}", several.join(", ")),
        };
        let command = |columns: &[(String, String)], has_method: bool| {
            advice::with_columns(wanted.options.command.as_deref(), file, columns, has_method)
        };
        if let Some((Recognised { columns, .. }, doubt)) =
            wanted.offered.and_then(|offered| Some((offered, offered.doubt.as_ref()?)))
        {
            let command = command(&columns.pairs(), true);
            let help = advice::names_of_columns(&listed(&names), true, Some(command));
            return Some(self.fault(doubt.clone()).help(help));
        }
        let is_text = self.names.iter().all(|name| str::from_utf8(name).is_ok());
        let columns = self.guessed(wanted, &names).map(|columns| (columns, true)).or_else(|| {
            let keys: Vec<String> = wanted.keys.iter().filter(|key| *key != "method").cloned().collect();
            let columns = self.guessed(&Wanted { keys: &keys, ..*wanted }, &names)?;
            (keys.len() < wanted.keys.len()).then_some((columns, false))
        });
        let command = columns.filter(|_| is_text).map(|(columns, has_method)| command(&columns, has_method));
        if let Names::Nowhere(number) = self.shape.names {
            let message =
                format!("{what}: the first row is not a header, and the {number} columns have no names");
            return Some(self.fault(message).help(advice::numbers_of_columns(command)));
        }
        let help = advice::names_of_columns(&listed(&names), is_text, command);
        Some(self.fault(what).help(help))
    }

    /// Returns the keys of `--columns`, with the columns that the user named if they exist, and the likely ones otherwise.
    fn guessed(&self, wanted: &Wanted<'_>, names: &[String]) -> Option<Vec<(String, String)>> {
        let ReadOptions { filters, repeats, .. } = wanted.options;
        let mut others = filters.iter().map(|(column, _)| column).chain(repeats);
        if others.any(|column| self.find(column).is_none()) {
            return None;
        }
        let columns_of = |column: &str| -> Option<Vec<usize>> {
            column.split('+').map(|name| Some(self.find(name)?.index)).collect()
        };
        let kept: Vec<((String, String), Vec<usize>)> = (wanted.options.columns.pairs().into_iter())
            .filter_map(|pair| Some((pair.clone(), columns_of(&pair.1)?)))
            .collect();
        let is_kept = |key: &&String| kept.iter().any(|((known, _), _)| known == *key);
        let mut free: Vec<usize> =
            (0..names.len()).filter(|column| !kept.iter().any(|(_, used)| used.contains(column))).collect();
        let rows = &self.shape.rows;
        let collective =
            if is_kept(&&COLLECTIVE.to_owned()) { None } else { position_of_collective(rows, &free) };
        // A column that is called `collective` is found without an option.
        let collective = collective.map(|position| names[free.remove(position)].clone());
        let collective = collective.filter(|name| plain(name) != COLLECTIVE);
        let collective = collective.map(|name| (COLLECTIVE.to_owned(), name));
        let others = |keys: &[String]| keys.iter().filter(|key| !is_kept(key)).cloned().collect::<Vec<_>>();
        let guess = |keys: &[String]| guess(&others(keys), names, rows, free.clone());
        let keys = [wanted.keys, &[SEGMENT_SIZE.to_owned()]].concat();
        let likely = [wanted.optional, &keys].concat();
        let usual = || guess(&likely).or_else(|| guess(&keys));
        // Unless something speaks of MPI, the sizes are probably of another kind.
        let of_mpi = self.is_of_mpi(wanted.options)
            || kept.iter().any(|((key, _), _)| key == COLLECTIVE || SIZES.contains(&&**key));
        let own = || guess_axes(&others(&keys), names, rows, &free);
        let found = if of_mpi { usual().or_else(own) } else { own().or_else(usual) }?;
        let kept = kept.into_iter().map(|(pair, _)| pair);
        let mut pairs: Vec<(String, String)> = kept.chain(found).chain(collective).collect();
        let place = |key: &String| likely.iter().position(|known| known == key).unwrap_or_default();
        pairs.sort_by_key(|(key, _)| place(key));
        Some(pairs)
    }
}

const COLLECTIVE: &str = "collective";

fn options_of_mpi(options: &ReadOptions) -> bool {
    let ReadOptions { collective, fixed, path, .. } = options;
    let names = path.iter().flat_map(PathPattern::names).chain(fixed.keys().map(String::as_str));
    collective.is_some() || names.into_iter().any(|name| name == COLLECTIVE || SIZES.contains(&name))
}

/// Returns the position of a column that holds only names of collectives.
fn position_of_collective(rows: &[Vec<String>], columns: &[usize]) -> Option<usize> {
    columns.iter().position(|column| {
        let mut entries = rows.iter().filter_map(|row| row.get(*column)).peekable();
        entries.peek().is_some() && entries.all(|text| is_known(&collective_name(text)))
    })
}

/// The keys of `--columns` that a table needs.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub(super) keys: &'w [String],
    /// Further keys that it has if a column is likely to be meant.
    pub(super) optional: &'w [String],
    pub(super) options: &'w ReadOptions,
    /// What the columns seem to be, with a doubt.
    pub(super) offered: Option<&'w Recognised>,
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
        faults.add(match written_otherwise(&found) {
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

    /// Parses a time. A column has a single decimal mark; the other character may separate thousands.
    pub(super) fn time(&self, row: &ByteRecord, sink: &mut FileSink<'_, '_>) -> Option<f64> {
        let text = self.utf8(row).unwrap_or_default();
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
        Some(time)
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
