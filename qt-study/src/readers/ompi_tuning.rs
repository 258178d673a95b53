//! `detail.out` of <https://github.com/open-mpi/ompi-collectives-tuning>.
//!
//! It has a column for each algorithm. Each entry is the mean of several runs and its deviation in microseconds, `64.33(0.94)`.
//! The first column is called `Nnodes` but holds the communicator size; sizes are those passed to the underlying benchmark,
//! bytes of each call's `count`. The collective comes from the path or the user.
//!
//! Later versions of the tool number the algorithms, where 0 is the library's own choice, and repeat the times of that one in
//! a last column that the header does not name. An algorithm for exactly two processes has `No data` elsewhere.

use std::io::BufRead;

use qtdec_core::{Method, Problem};
use qtdec_times::collective::natural_basis;

use super::lines::{each, ragged, unexpected};
use super::sink::{FileRow, FileSink, Measured, MethodOf, Rows, Section};
use super::{Counted, Format};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format::new(
    "ompi-collectives-tuning",
    |head| head.lines().next().is_some_and(|line| is_header(line) && !line.contains("Best")),
    read,
);

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut table: Option<Table> = None;
    each(input, |line, text| {
        if is_header(text) {
            table = Table::begin(text, sink);
            return Ok(());
        }
        let Some(Table { rows, axes, methods }) = &mut table else { return Ok(()) };
        if methods.is_empty() || text.trim().is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let text = text.replace("No data", NO_DATA);
        let words: Vec<&str> = text.split_whitespace().collect();
        let repeats_a_column = words.len() == methods.len() + 3 && words[2..].ends_with(&[words[2]]);
        if words.len() != methods.len() + 2 && !repeats_a_column {
            sink.note_fault(Err(ragged(line, words.len(), methods.len() + 2)));
            return Ok(());
        }
        let size = |word: &str, what: &str| word.parse().map_err(|_| unexpected(line, word, what));
        let sizes: [u64; 2] = [size(words[0], "a communicator size")?, size(words[1], "a message size")?];
        for (word, &method) in words[2..].iter().zip(&*methods).filter(|(word, _)| **word != NO_DATA) {
            // The deviation is not used.
            let mean = word.split('(').next().unwrap_or_default();
            let expected = "a mean and its deviation, such as 64.33(0.94)";
            let Some(mean) = sink.time(line, mean, expected) else { continue };
            let row = FileRow::new(line, &sizes[..*axes], Measured::Mean(mean));
            sink.row(rows, &FileRow { method: Some(method), ..row });
        }
        Ok(())
    })
}

/// The replacement for a missing entry.
const NO_DATA: &str = "-";

fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("#Nnodes") && words.next() == Some("Message_size")
}

/// The rows under a header.
struct Table {
    rows: Rows,
    axes: usize,
    /// The number of the method in each column.
    methods: Vec<usize>,
}

impl Table {
    fn begin(header: &str, sink: &mut FileSink<'_, '_>) -> Option<Self> {
        let collective = sink.collective();
        let part = sink.part(collective.as_deref())?;
        // The sizes of the barrier are all 0.
        let axes = if collective.as_deref() == Some("barrier") { 1 } else { 2 };
        let section = Section {
            axes: &["comm_size", "msg_size"][..axes],
            counted: collective.as_deref().and_then(natural_basis).map(Counted::Of),
            unit: Some(TimeUnit::Microseconds),
            method: MethodOf::Row,
            ..Section::default()
        };
        let rows = sink.begin(part, section)?;
        let names = header.split_whitespace().skip(2);
        let methods = names.map(Method::new);
        let methods = methods.map(|method| sink.method(part, method)).collect();
        Some(Self { rows, axes, methods })
    }
}
