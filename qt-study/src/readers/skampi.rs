//! SKaMPI 5, `*.sko`: <https://github.com/coti/SKaMPI>.
//!
//! Between `begin result` and `end result` is a line for each point: the loop variables, the message size in bytes,
//! the mean time and its standard error in microseconds, the number of repetitions, and optionally the time of each process.
//! The name of a result begins with the collective (`MPI_Bcast-procs-short`) or with the algorithm
//! (`Bcast_using_Send_Recv-length`). A loop variable `procs` or `nodes` is the communicator size; sizes are bytes of each
//! call's `count`.

use std::io::BufRead;

use qtdec_core::{Method, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::advice;
use super::lines::{each, unexpected};
use super::sink::{FileRow, FileSink, Measured, MethodOf, PartNumber, Rows, Section};
use super::{Counted, Format, collective_name};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format::new("skampi", |head| head.contains("begin result \""), read);

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut part: Option<Part> = None;
    let mut within = false;
    let mut last = 0;
    each(input, |line, text| {
        last = line;
        let bare = text.trim_start_matches(['#', ' ']);
        if let Some(name) = bare.strip_prefix("begin result \"") {
            within = true;
            part = Part::begin(name.trim_end_matches('"'), sink);
        } else if bare.starts_with("end result") {
            within = false;
            part = None;
        } else if let Some(part) = &mut part
            && !text.trim_start().is_empty()
            && !text.trim_start().starts_with('#')
        {
            let row = part.row(line, text, sink);
            sink.note_fault(row);
        }
        Ok(())
    })?;
    if within {
        let message = "the file ends within a result: there is no `end result`";
        return Err(Problem::new(Place::Line(last), message).help("is the file cut off?"));
    }
    Ok(())
}

/// One result.
struct Part {
    number: PartNumber,
    collective: String,
    method: Option<String>,
    /// The rows, and whether they contain the communicator size, once the axes are known.
    began: Option<(Rows, bool)>,
    refused: bool,
}

impl Part {
    fn begin(name: &str, sink: &mut FileSink<'_, '_>) -> Option<Self> {
        let operation = name.split('-').next().unwrap_or_default();
        let (collective, method) = match operation.split_once("_using_") {
            Some((collective, method)) => (collective, Some(method.to_owned())),
            None => (operation, None),
        };
        let collective = collective_name(collective);
        let number = sink.part(Some(&collective))?;
        Some(Self { number, collective, method, began: None, refused: false })
    }

    fn row(&mut self, line: u64, text: &str, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        if self.refused {
            return Ok(());
        }
        let mut words = text.split_whitespace().peekable();
        let mut comm_size = None;
        while let Some(name) = words.next_if(|word| word.ends_with('=')) {
            let value = words.next().unwrap_or_default();
            if ["procs=", "nodes=", "np="].contains(&name) {
                comm_size =
                    Some(value.parse().map_err(|_| unexpected(line, value, "a number of processes"))?);
            }
        }
        let numbers: Vec<&str> = words.collect();
        // Size, mean, error, repetitions: times have a decimal point, sizes do not. Some versions print a size of 0
        // for the barrier, others print none.
        let has_size = numbers.first().is_some_and(|word| !word.contains('.'));
        let (size, mean) = match numbers[..] {
            [size, mean, _, _, ..] if has_size => (Some(size), mean),
            [mean, _, _, ..] if !has_size => (None, mean),
            _ => {
                let message = "the row does not hold a mean time, its error and the number of repetitions";
                return Err(Problem::new(Place::Line(line), message).help("is the file cut off?"));
            }
        };
        let mut sizes: Vec<u64> = comm_size.into_iter().collect();
        let has_size = self.collective != "barrier";
        if has_size {
            let lacking =
                || Problem::new(Place::Line(line), "the row has no message size before its mean time");
            let size = size.ok_or_else(lacking)?;
            sizes.push(size.parse().map_err(|_| unexpected(line, size, "a message size"))?);
        }
        let Some(time) = sink.time(line, mean, "a time above 0") else { return Ok(()) };
        let has_comm_size = comm_size.is_some();
        if self.began.is_none() {
            self.began = self.first_row(has_comm_size, has_size, sink).map(|rows| (rows, has_comm_size));
        }
        let Some((rows, had_comm_size)) = &mut self.began else {
            self.refused = true;
            return Ok(());
        };
        if has_comm_size != *had_comm_size {
            let message = "some rows of the result specify the communicator size, and some do not";
            return Err(Problem::new(Place::Line(line), message));
        }
        sink.row(rows, &FileRow::new(line, &sizes, Measured::Mean(time)));
        Ok(())
    }

    fn first_row(&self, has_comm_size: bool, has_size: bool, sink: &mut FileSink<'_, '_>) -> Option<Rows> {
        let message = "a result has no loop over `procs` that would specify the communicator size";
        let axes = [has_comm_size.then_some("comm_size"), has_size.then_some("msg_size")];
        let axes: Vec<&str> = axes.into_iter().flatten().collect();
        let section = Section {
            axes: &axes,
            lacking: (!has_comm_size).then_some([message, advice::COMM_SIZE]),
            counted: natural_basis(&self.collective).map(Counted::Of),
            unit: Some(TimeUnit::Microseconds),
            ranks: Some("max"),
            method: match &self.method {
                Some(name) => MethodOf::Section(Method::new(name.clone())),
                None => MethodOf::Path(Some("library")),
            },
            ..Section::default()
        };
        sink.begin(self.number, section)
    }
}
