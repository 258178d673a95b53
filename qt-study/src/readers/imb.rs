//! Intel MPI Benchmarks, IMB-MPI1: <https://github.com/intel/mpi-benchmarks>.
//!
//! A file names the collective and communicator size and has statistics over the ranks; the method comes from the path or the user.
//! Times are means over the repetitions in microseconds, sizes are bytes of each call's `count`.

use std::io::BufRead;

use qtdec_core::{Place, Problem};
use qtdec_times::collective::natural_basis;

use super::advice;
use super::lines::{each, is_row, ragged, unexpected};
use super::sink::{FileRow, FileSink, Measured, PartNumber, Rows, Section};
use super::{Counted, Format, collective_name};
use crate::measurements::{RankStatistic, TimeUnit};

pub(super) const FORMAT: Format = Format::new("imb", recognises, read);

/// The words in a row that replace times if nothing could be measured.
const FAILED: [&str; 3] = ["out-of-mem.;", "int-overflow;", "time-out.;"];

fn recognises(head: &str) -> bool {
    let is_title = |line: &str| line.starts_with('#') && line.contains("Intel(R) MPI Benchmarks");
    head.lines().any(|line| line.starts_with("# Benchmarking ") || is_title(line))
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut part = Part::default();
    let mut machine: Option<String> = None;
    each(input, |line, text| {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("# Benchmarking ") {
            part = Part::named(name, line, sink)?;
        } else if let Some(ranks) = text.strip_prefix("# #processes = ") {
            let number = ranks.split([' ', ';']).next().unwrap_or_default();
            part.comm_size = number.parse().map_err(|_| unexpected(line, number, "a number of processes"))?;
        } else if let Some((_, name)) = text.strip_prefix("# Machine").and_then(|rest| rest.split_once(':')) {
            // The architecture: `# Machine               : x86_64`.
            machine = Some(name.trim().to_owned());
        } else if text.contains("[usec]") {
            part.table = part.table(line, text, machine.as_deref(), sink)?;
        } else if let Some(table) = part.table.as_mut().filter(|_| !text.is_empty() && !text.starts_with('#'))
        {
            let row = table.row(line, text, part.comm_size, sink);
            sink.note_fault(row);
        }
        Ok(())
    })
}

/// One benchmark at one communicator size.
#[derive(Default)]
struct Part {
    collective: String,
    /// The part of the file, if its times are read.
    number: Option<PartNumber>,
    comm_size: u64,
    table: Option<Table>,
}

struct Table {
    rows: Rows,
    columns: usize,
    size: Option<usize>,
    time: usize,
}

impl Part {
    fn named(name: &str, line: u64, sink: &mut FileSink<'_, '_>) -> Result<Self, Problem> {
        let several = name.strip_prefix("Multi-");
        let collective = collective_name(several.unwrap_or(name));
        let number = sink.part(Some(&collective));
        if several.is_some() && number.is_some() {
            let message =
                "several groups of processes were measured at once (`-multi`), and disturbed each other";
            return Err(Problem::new(Place::Line(line), message).help("measure again without `-multi`"));
        }
        Ok(Self { collective, number, ..Self::default() })
    }

    /// Returns the table under a header, or `None` if it should not be read.
    fn table(
        &self,
        line: u64,
        header: &str,
        machine: Option<&str>,
        sink: &mut FileSink<'_, '_>,
    ) -> Result<Option<Table>, Problem> {
        let Some(part) = self.number else { return Ok(None) };
        let columns: Vec<&str> = header.split_whitespace().map(|name| name.trim_start_matches('#')).collect();
        let position = |name: &str| columns.iter().position(|column| *column == name);
        let ranks = sink.options.ranks;
        let time = match ranks {
            RankStatistic::Min => position("t_min[usec]"),
            RankStatistic::Max => position("t_max[usec]"),
            RankStatistic::Mean => position("t_avg[usec]"),
        };
        let Some(time) = time else {
            let message = format!("the table of `{}` has no times of the slowest rank", self.collective);
            return Err(Problem::new(Place::Line(line), message).help(advice::BLOCKING_COLLECTIVES));
        };
        let size = position("bytes");
        let axes: &[&str] = if size.is_some() { &["comm_size", "msg_size"] } else { &["comm_size"] };
        let section = Section {
            axes,
            counted: natural_basis(&self.collective).map(Counted::Of),
            unit: Some(TimeUnit::Microseconds),
            ranks: Some(ranks.name()),
            machine,
            ..Section::default()
        };
        Ok(sink.begin(part, section).map(|rows| Table { rows, columns: columns.len(), size, time }))
    }
}

impl Table {
    fn row(
        &mut self,
        line: u64,
        text: &str,
        comm_size: u64,
        sink: &mut FileSink<'_, '_>,
    ) -> Result<(), Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(why) = FAILED.iter().find(|why| words.contains(*why)) {
            let why = why.trim_end_matches(['.', ';']);
            sink.note(format!("a row without times was dropped: the benchmark says {why}"));
            return Ok(());
        }
        if !is_row(&words, self.columns) {
            sink.skipped_line(line, text);
            return Ok(());
        }
        if words.len() != self.columns {
            return Err(ragged(line, words.len(), self.columns));
        }
        let mut sizes = vec![comm_size];
        if let Some(column) = self.size {
            sizes.push(words[column].parse().map_err(|_| unexpected(line, words[column], "a message size"))?);
            // Collectives without data are measured, but their times mean nothing.
            if sizes[1] == 0 {
                sink.note("a message of 0 bytes was skipped");
                return Ok(());
            }
        }
        if let Some(time) = sink.time(line, words[self.time], "a time above 0") {
            sink.row(&mut self.rows, &FileRow::new(line, &sizes, Measured::Mean(time)));
        }
        Ok(())
    }
}
