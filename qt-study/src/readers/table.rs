//! Files of rows and columns: the engine of every CSV format.

mod column;
mod found;
mod names;
pub(super) mod rates;
mod recognise;
mod rows;
mod shape;
mod units;

use std::io::{BufRead, Read};

use csv::{ByteRecord, Terminator};
use qtdec_core::{Method, Place, Problem};
use qtdec_times::faults::ragged;

use super::counted::Counted;
use super::limits::RowReader;
use super::lines::unreadable;
use super::sink::FileSink;
use crate::measurements::{Statistic, TimeUnit};

use column::Header;
use rows::TableReader;
use shape::{Delimiter, Names, Shape, TabSeparated};

type CollectiveOf = fn(&[&str]) -> Option<&'static str>;
type IsLeftOut = fn(&str) -> bool;
type CountedOf = fn(Option<&str>, &[&str]) -> Option<Counted>;

/// A format's specification of its columns. The user's options take precedence.
#[derive(Default)]
pub(super) struct TableSpec<'f> {
    /// The columns, as [`Columns::parse`](super::columns::Columns::parse) reads them.
    pub(super) columns: &'f str,
    /// Columns with statistics of repeats that are not available.
    pub(super) statistics: &'f [(Statistic, &'f str)],
    pub(super) unit: Option<TimeUnit>,
    /// The statistic over the ranks of a repeat.
    pub(super) ranks: Option<&'f str>,
    /// A column, and the value that it has in valid rows.
    pub(super) valid: Option<(&'f str, &'f str)>,
    /// A column, and whether its value shows that a row has something else than the times.
    pub(super) left_out: Option<(&'f str, IsLeftOut)>,
    /// Whether axes from the path or the user replace those that the file lacks.
    pub(super) replaceable_axes: bool,
    /// Whether the columns of a table with names of its own are recognised, unless the user names some.
    pub(super) has_own_names: bool,
    /// A column by which times are divided: the number of calls.
    pub(super) calls: Option<&'f str>,
    /// A column with the number of ranks per node, if the communicator size counts nodes.
    pub(super) ranks_per_node: Option<&'f str>,
    /// Whether message sizes count elements.
    pub(super) in_elements: bool,
    /// Returns the collective of a method, given the columns that name it, if the format's names of methods tell.
    pub(super) collective_of: Option<CollectiveOf>,
    /// Returns what a collective's message sizes count, if the format defines it, given the columns that name the method of the first
    /// row.
    pub(super) counted: Option<CountedOf>,
    /// Returns the method from the columns that name it: at least one, not all empty. By default it is named by all of them.
    pub(super) method: Option<fn(&[&str]) -> Method>,
    /// Returns the size in the column of an axis, by default that of the whole text.
    pub(super) size: Option<fn(&str, &str) -> Option<u64>>,
}

/// Returns the method that is named by all columns up to the last one that is not empty.
fn joined(names: &[&str]) -> Method {
    let last = names.iter().rposition(|name| !name.is_empty()).unwrap_or(0);
    Method::new(names[..=last].join(":"))
}

/// Returns whether a text begins like a table, rather than prose with commas.
pub(super) fn is_table(head: &str) -> bool {
    let header = head.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    !header.trim_start().starts_with(['{', '[', '<']) && Shape::from_start(head.as_bytes()).is_table()
}

/// Reads a table. Its first row determines the delimiter: commas, semicolons, tabs or whitespace. Between semicolons, times may
/// have decimal commas. The names of the columns are in the first row or in the comment before it; otherwise columns are numbered
/// from 1.
pub(super) fn read(
    input: &mut dyn BufRead,
    table: &TableSpec<'_>,
    sink: &mut FileSink<'_, '_>,
) -> Result<(), Problem> {
    let start = input.fill_buf().map_err(unreadable)?;
    // By default, the second half of a `\r\n` would be left for the next row and lines would be miscounted. Without any
    // `\n`, lines end in `\r`, as some spreadsheets still write them.
    let terminator = if start.contains(&b'\n') { Terminator::Any(b'\n') } else { Terminator::CRLF };
    let shape = Shape::from_start(start);
    if let Some([first, names]) = shape.preamble {
        sink.foreign = true;
        let message =
            format!("line {names} looks like the header of a table, and line {first} does not belong to it");
        return Err(Problem::new(Place::Line(first), message)
            .help("remove what is before the header, or begin these lines with `#`"));
    }
    let delimiter = match shape.delimiter {
        Delimiter::Byte(byte) => byte,
        Delimiter::Blanks => b'\t',
    };
    let input: Box<dyn Read + '_> = match shape.delimiter {
        Delimiter::Byte(_) => Box::new(input),
        Delimiter::Blanks => Box::new(TabSeparated::new(input)),
    };
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .terminator(terminator)
        .comment(Some(b'#'))
        .flexible(true)
        .has_headers(false)
        .from_reader(RowReader { input, left: LONGEST, ended: false, too_long: TOO_LONG });
    let mut header = ByteRecord::new();
    let line = match &shape.names {
        Names::FirstRow => {
            let empty = || Problem::new(Place::File, "the file is empty");
            next(&mut rows, &mut header)?.ok_or_else(empty)?
        }
        Names::Comment(line, names) => {
            header = ByteRecord::from(names.clone());
            *line
        }
        Names::Nowhere(columns) => {
            let numbers: Vec<String> = (1..=*columns).map(|column| column.to_string()).collect();
            header = ByteRecord::from(numbers);
            1
        }
    };
    if header.len() > MAX_COLUMNS {
        let message = format!("the table has {} columns, and the maximum is {MAX_COLUMNS}", header.len());
        return Err(Problem::new(Place::Line(line), message)
            .help("keep those of the sizes, the methods and the times, or write a row for each time"));
    }
    if let Some(fields) = shape.other_width() {
        let message = format!("the header has {} names, and every row {fields} fields", header.len());
        return Err(Problem::new(Place::Line(line), message).help("write a name for each column"));
    }
    let columns = Header::new(&header, line, delimiter == b';', &shape);
    let Some(mut reader) = TableReader::new(&columns, table, sink) else { return Ok(()) };
    let mut row = ByteRecord::new();
    while let Some(line) = next(&mut rows, &mut row)? {
        if row.len() != header.len() {
            let line = Place::Line(line);
            sink.faults.add(ragged(line, ["field", "fields"], row.len(), header.len()));
        } else if reader.row(&row, sink).is_none() && reader.is_refused() {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads the next row that is not blank and returns its line number, or `None` at the end.
///
/// A row's own position is the end of the previous one; comments and blank lines may lie between them.
fn next<R: Read>(rows: &mut csv::Reader<RowReader<R>>, row: &mut ByteRecord) -> Result<Option<u64>, Problem> {
    while rows.read_byte_record(row).map_err(|error| broken(&error))? {
        rows.get_mut().left = LONGEST;
        let within = memchr::memchr_iter(b'\n', row.as_slice()).count() as u64;
        let ended = u64::from(!rows.get_ref().ended);
        if row.iter().any(|field| field.trim_ascii().len() != field.len()) {
            row.trim();
        }
        if row.len() == 1 && row[0].is_empty() {
            continue;
        }
        let mut position = rows.position().clone();
        let line = position.line().saturating_sub(ended + within).max(1);
        position.set_line(line);
        row.set_position(Some(position));
        return Ok(Some(line));
    }
    Ok(None)
}

/// The maximum number of columns: a table of times has one for each method at most, besides those of its sizes.
const MAX_COLUMNS: usize = 1 << 12;

/// The maximum length of a row, including one that an unmatched quotation mark makes of many.
const LONGEST: u64 = 1 << 22;
const TOO_LONG: &str = "a row is longer than 4 MiB: is a closing quotation mark missing?";

fn broken(error: &csv::Error) -> Problem {
    let line = error.position().map(csv::Position::line);
    let place = line.map_or(Place::File, Place::Line);
    match error.kind() {
        csv::ErrorKind::Io(error) => Problem::new(place, format!("cannot be read: {error}")),
        _ => Problem::new(place, format!("not CSV: {error}")),
    }
}
