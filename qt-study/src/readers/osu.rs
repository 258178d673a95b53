//! OSU micro-benchmarks, the collectives: <https://mvapich.cse.ohio-state.edu/benchmarks/>.
//!
//! A file names the collective and, with `-f`, has statistics over the ranks; the communicator size and the method come from
//! the path or the user. Times are means over the iterations in microseconds. Sizes are bytes of each call's `count`, but
//! the block version of the reduce-scatter divides its size among the ranks, like the other version.

use std::io::BufRead;

use qtdec_core::{Basis, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::advice;
use super::lines::{each, is_row, ragged, unexpected};
use super::sink::{FileRow, FileSink, Measured, PartNumber, Rows, Section};
use super::{Counted, Format, collective_name};
use crate::measurements::{RankStatistic, TimeUnit};

pub(super) const FORMAT: Format =
    Format::new("osu", |head| head.lines().any(|line| line.starts_with("# OSU MPI")), read);

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut part: Option<Part> = None;
    each(input, |line, text| {
        if let Some(title) = text.strip_prefix("# OSU MPI") {
            part = Part::titled(title, sink);
            return Ok(());
        }
        let Some(part) = &mut part else { return Ok(()) };
        match text.strip_prefix('#') {
            Some(header) if header.contains("(us)") => part.header(line, header, sink),
            Some(_) => Ok(()),
            None if text.trim().is_empty() => Ok(()),
            None => {
                part.row(line, text, sink);
                Ok(())
            }
        }
    })
}

/// The part of a file for one collective.
struct Part {
    number: PartNumber,
    collective: String,
    table: Option<Table>,
}

struct Table {
    rows: Rows,
    columns: usize,
    has_size: bool,
    time: usize,
    /// The column that says whether the received data were correct, if they were checked.
    validation: Option<usize>,
}

/// The useful contents of a column.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Size,
    Time(RankStatistic),
    Validation,
    Other,
}

impl Part {
    fn titled(title: &str, sink: &mut FileSink<'_, '_>) -> Option<Self> {
        let name = title.split_once(" Latency Test").map(|(name, _)| {
            // `-CUDA Broadcast`: the location of the buffers.
            name.strip_prefix('-').and_then(|name| name.split_once(' ')).map_or(name, |(_, name)| name)
        });
        let others = ["", "Multi-process", "Multi-threaded", "Multi"];
        let Some(name) = name.filter(|name| !others.contains(&name.trim())) else {
            sink.note("a benchmark of something else than a collective was skipped");
            return None;
        };
        let collective = collective_name(name);
        sink.part(Some(&collective)).map(|number| Self { number, collective, table: None })
    }

    fn header(&mut self, line: u64, header: &str, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let columns = columns(header);
        let position = |column: Column| columns.iter().position(|known| *known == column);
        let requested =
            Some(sink.options.ranks).filter(|&requested| position(Column::Time(requested)).is_some());
        let ranks = requested.unwrap_or(RankStatistic::Mean);
        let Some(time) = position(Column::Time(ranks)) else {
            let message = format!("the table of `{}` has no column `Avg Latency(us)`", self.collective);
            return Err(Problem::new(Place::Line(line), message)
                .help("only blocking collectives are read, whose time ends with the call"));
        };
        let basis = match self.collective.as_str() {
            "reduce_scatter_block" => Some(Basis::Total),
            collective => natural_basis(collective),
        };
        // The barrier has no message size.
        let has_size = position(Column::Size) == Some(0);
        let section = Section {
            axes: if has_size { &["msg_size"] } else { &[] },
            lacking: Some(["the file does not specify the communicator size", advice::COMM_SIZE]),
            counted: basis.map(Counted::Of),
            unit: Some(TimeUnit::Microseconds),
            ranks: Some(ranks.name()),
            ..Section::default()
        };
        let validation = position(Column::Validation);
        let rows = sink.begin(self.number, section);
        self.table = rows.map(|rows| Table { rows, columns: columns.len(), has_size, time, validation });
        Ok(())
    }

    fn row(&mut self, line: u64, text: &str, sink: &mut FileSink<'_, '_>) {
        let Some(table) = &mut self.table else { return };
        let words: Vec<&str> = text.split_whitespace().collect();
        if !is_row(&words, table.columns) {
            return sink.skipped_line(line, text);
        }
        if words.len() != table.columns {
            return sink.faults.add(ragged(line, words.len(), table.columns));
        }
        if table.validation.is_some_and(|column| words[column] != "Pass") {
            return sink.note("a row whose validation failed was dropped");
        }
        let mut sizes = Vec::new();
        if table.has_size {
            match words[0].parse() {
                Ok(size) => sizes.push(size),
                Err(_) => return sink.faults.add(unexpected(line, words[0], "a message size")),
            }
        }
        if let Some(time) = sink.time(line, words[table.time], "a time above 0") {
            sink.row(&mut table.rows, &FileRow::new(line, &sizes, Measured::Mean(time)));
        }
    }
}

/// Returns the columns of a header. Their names contain spaces and end in one of a few words.
fn columns(header: &str) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut first = "";
    for word in header.split_whitespace() {
        match word {
            "Avg" | "Min" | "Max" | "Transmit" | "Tail" => first = word,
            percentile if percentile.starts_with('P') && percentile[1..].parse::<u32>().is_ok() => {}
            _ => {
                columns.push(match (first, word) {
                    ("", "Size") => Column::Size,
                    ("Avg", "Latency(us)") => Column::Time(RankStatistic::Mean),
                    ("Min", "Latency(us)") => Column::Time(RankStatistic::Min),
                    ("Max", "Latency(us)") => Column::Time(RankStatistic::Max),
                    ("", "Validation") => Column::Validation,
                    _ => Column::Other,
                });
                first = "";
            }
        }
    }
    columns
}
