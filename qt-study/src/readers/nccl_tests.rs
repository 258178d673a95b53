//! The tests of NCCL and RCCL, `all_reduce_perf` and others: <https://github.com/NVIDIA/nccl-tests>.
//!
//! A row has the times of a call with separate buffers and, in most tests, of one in place: means over the iterations in
//! microseconds, in milliseconds up to version 1. Sizes are bytes of the larger buffer, so of all blocks together. Lines
//! `# Rank` list the ranks. Since 2.16.7 a line names the program, which is otherwise found where the command was logged. The method
//! comes from the path, the user, or the settings that NCCL logs with `NCCL_DEBUG=INFO`.

use std::io::BufRead;

use qtdec_core::{Place, Problem};

use super::Format;
use super::advice;
use super::lines::{each, ragged, unexpected};
use super::nccl::{Forced, PLACES, Program, Ranks, counted, place, program};
use super::sink::{FileRow, FileSink, Measured, MethodOf, Rows, Section};
use crate::measurements::TimeUnit;
use crate::size::is_digits;

pub(super) const FORMAT: Format = Format {
    uses_columns: true,
    ..Format::new(
        "nccl-tests",
        |head| head.lines().any(|line| line.starts_with("# nThread ") || is_header(line)),
        read,
    )
};

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut part = Part::default();
    // The program that is named before its run.
    let mut named = None;
    each(input, |line, text| {
        let text = text.trim();
        if let Some(program) = program(text) {
            named = Some(program);
        }
        if let Some(shape) = text.trim_start_matches(['#', ' ']).strip_prefix("nThread ") {
            part = Part { program: named.take(), devices: devices(shape), ..Part::default() };
        } else if let Some(rank) =
            text.strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("Rank "))
        {
            part.rank(line, rank)?;
        } else if let Some((_, setting)) = text.split_once("NCCL INFO ") {
            part.setting(setting);
        } else if is_header(text) {
            part.program = part.program.or(named.take());
            part.table = part.table(line, text, sink)?;
        } else if let Some(table) =
            part.table.as_mut().filter(|_| text.split_whitespace().next().is_some_and(is_digits))
        {
            let row = table.row(line, text, sink);
            sink.note_fault(row);
        }
        Ok(())
    })
}

/// One run of a program.
#[derive(Default)]
struct Part {
    program: Option<&'static Program>,
    /// The number of devices of each process.
    devices: Option<u64>,
    ranks: Ranks,
    forced: Forced,
    table: Option<Table>,
}

/// The columns of a table.
struct Table {
    rows: Rows,
    comm_size: Option<u64>,
    /// The position of the time, and of the number of wrong results, from the end of the row.
    time: usize,
    wrong: Option<usize>,
    /// The number of columns; a column without a title has none in some rows.
    columns: usize,
}

impl Part {
    /// Adds the rank of a line `0 Group  0 Pid 1234 on node device  0 [0x07] NVIDIA A100`.
    fn rank(&mut self, line: u64, text: &str) -> Result<(), Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(rank) = words.first().and_then(|word| word.parse().ok()) else { return Ok(()) };
        let group = words.iter().position(|word| *word == "Group").and_then(|at| words.get(at + 1));
        // The model follows the address of the device on its bus.
        let model = text.split_once("] ").map(|(_, model)| model.trim());
        self.ranks.add(Place::Line(line), rank, group.copied(), model)
    }

    /// Remembers a setting that NCCL logs: `NCCL_ALGO set by environment to Ring.`
    fn setting(&mut self, text: &str) {
        if let Some((name, value)) = text.split_once(" set by environment to ") {
            self.forced.set(name, value.trim().trim_end_matches('.'));
        }
    }

    /// Returns the table under a header, or `None` if it is not read.
    fn table(&self, line: u64, header: &str, sink: &mut FileSink<'_, '_>) -> Result<Option<Table>, Problem> {
        let named = match self.program {
            Some((_, None)) => {
                sink.note("a benchmark of something else than a collective was skipped");
                return Ok(None);
            }
            Some((_, collective)) => *collective,
            None => None,
        };
        let Some(part) = sink.part(named) else { return Ok(None) };
        let collective = named.map(str::to_owned).or_else(|| sink.collective());
        let (place, columns) = (place(Place::Line(line), sink)?, titles(header));
        let mut times = columns.iter().enumerate().filter(|(_, title)| **title == "time");
        let Some((time, _)) = times.nth(place) else {
            let message = if columns.contains(&"cputime") {
                "the times are those of the processor, which does not wait for the collective".to_owned()
            } else {
                format!("the table has no times {}", PLACES[place])
            };
            return Err(Problem::new(Place::Line(line), message)
                .help("measure again without `-C`, or read the other times"));
        };
        let comm_size = self.ranks.number(self.devices);
        let unlisted = ["the file does not list the ranks", advice::NUMBER_OF_RANKS];
        let counted = collective.as_deref().and_then(counted);
        let unit = if columns.contains(&"N") { TimeUnit::Milliseconds } else { TimeUnit::Microseconds };
        let axes: &[&str] = if comm_size.is_some() { &["comm_size", "msg_size"] } else { &["msg_size"] };
        let (forced, models) = (self.forced.method(), self.ranks.models());
        let section = Section {
            axes,
            lacking: comm_size.is_none().then_some(unlisted),
            counted,
            unit: Some(unit),
            method: MethodOf::Path(forced.as_deref()),
            machine: models.as_deref(),
            ..Section::default()
        };
        let wrong = columns.iter().skip(time).position(|title| *title == "#wrong").map(|after| time + after);
        Ok(sink.begin(part, section).map(|rows| Table {
            rows,
            comm_size,
            time: columns.len() - time,
            wrong: wrong.map(|wrong| columns.len() - wrong),
            columns: columns.len(),
        }))
    }
}

impl Table {
    fn row(&mut self, line: u64, text: &str, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // The operation is blank in tests without one.
        if words.len() != self.columns && words.len() + 1 != self.columns || words.len() < self.time + 1 {
            return Err(ragged(line, words.len(), self.columns));
        }
        let from_end = |position: usize| words[words.len() - position];
        let size: u64 = words[0].parse().map_err(|_| unexpected(line, words[0], "a message size"))?;
        if size == 0 {
            sink.note("a message of 0 bytes was skipped");
            return Ok(());
        }
        if self.wrong.is_some_and(|wrong| !["0", "N/A"].contains(&from_end(wrong))) {
            sink.note("a row with wrong results was dropped");
            return Ok(());
        }
        if let Some(time) = sink.time(line, from_end(self.time), "a time above 0") {
            let sizes: Vec<u64> = self.comm_size.into_iter().chain([size]).collect();
            sink.row(&mut self.rows, &FileRow::new(line, &sizes, Measured::Mean(time)));
        }
        Ok(())
    }
}

fn is_header(text: &str) -> bool {
    text.starts_with('#') && ["time", "algbw", "busbw"].iter().all(|title| text.contains(title))
}

/// Returns the titles of a header. A time stamp, at the end, has two words in each row.
fn titles(header: &str) -> Vec<&str> {
    let words = header.strip_prefix('#').unwrap_or(header).split_whitespace();
    words.flat_map(|word| if word == "timestamp" { vec![word, ""] } else { vec![word] }).collect()
}

/// Returns the number of devices of each process, given the line that describes the run after `nThread `.
fn devices(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let gpus = words.iter().position(|word| *word == "nGpus").and_then(|at| words.get(at + 1))?;
    words.first()?.parse::<u64>().ok()?.checked_mul(gpus.parse().ok()?)
}
