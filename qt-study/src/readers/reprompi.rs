//! ReproMPI: <https://github.com/hunsa/reprompi>.
//!
//! Comment lines `#@key=value` contain the number of processes. One kind of table has a line for each repeat
//! (`test nrep msize_bytes runtime_sec`, optionally with an error code); the other, `--summary`, has a line for each point with
//! statistics (`mean_sec median_sec min_sec max_sec`). Times are those of each repeat's slowest process in seconds; sizes are
//! bytes of each call's `count`, for a reduce-scatter of each process's part. Some versions give the count in elements instead
//! (`count`), and the bytes of an element in a comment. The method comes from the path or the user.

use std::collections::BTreeMap;
use std::io::BufRead;

use qtdec_core::{Basis, Message, Place, Problem};
use qtdec_times::collective::natural_basis;

use super::advice;
use super::lines::{each, ragged, unexpected};
use super::sink::{FileRow, FileSink, Measured, MethodOf, PartNumber, Rows, Section};
use super::{Counted, Format, collective_name};
use crate::measurements::{Statistic, TimeUnit};

pub(super) const FORMAT: Format = Format::new(
    "reprompi",
    |head| head.contains("#@nprocs=") || head.lines().any(|line| is_header(&words(line))),
    read,
);

const STATISTICS: [(&str, Statistic); 4] = [
    ("mean_sec", Statistic::Mean),
    ("median_sec", Statistic::Median),
    ("min_sec", Statistic::Min),
    ("max_sec", Statistic::Max),
];

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut comm_size: Option<u64> = None;
    let mut element_size = sink.options.element_size;
    let mut header: Vec<String> = Vec::new();
    let mut began: BTreeMap<String, Option<Rows>> = BTreeMap::new();
    each(input, |line, text| {
        if let Some(number) = text.trim().strip_prefix("#@nprocs=") {
            comm_size = Some(number.parse().map_err(|_| unexpected(line, number, "a number of processes"))?);
            began.clear();
            return Ok(());
        }
        if let Some(number) = text.trim().strip_prefix("#@datatype_size_bytes=") {
            let size = number.parse().map_err(|_| unexpected(line, number, "a number of bytes"))?;
            element_size.get_or_insert(size);
            return Ok(());
        }
        let words = words(text);
        if is_header(&words) {
            header = words.into_iter().map(str::to_owned).collect();
            return Ok(());
        }
        if header.is_empty() || words.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        if words.len() != header.len() {
            sink.note_fault(Err(ragged(line, words.len(), header.len())));
            return Ok(());
        }
        let row = Line { header: &header, words: &words, number: line };
        let Some(collective) = row.get("test").map(collective_name) else { return Ok(()) };
        let Some(part) = sink.part(Some(&collective)) else { return Ok(()) };
        if !began.contains_key(&collective) {
            began.insert(collective.clone(), begin(part, &collective, comm_size, sink));
        }
        if let Some(Some(rows)) = began.get_mut(&collective) {
            let read = row.read(comm_size, element_size, rows, sink);
            sink.note_fault(read);
        }
        Ok(())
    })
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn is_header(words: &[&str]) -> bool {
    words.contains(&"test") && (words.contains(&"msize_bytes") || words.contains(&"count"))
}

fn begin(
    part: PartNumber,
    collective: &str,
    comm_size: Option<u64>,
    sink: &mut FileSink<'_, '_>,
) -> Option<Rows> {
    let basis = match collective {
        "reduce_scatter" => Some(Basis::Block),
        _ => natural_basis(collective),
    };
    let message = "the file has no line `#@nprocs=`, and does not specify the communicator size";
    let section = Section {
        axes: if comm_size.is_some() { &["comm_size", "msg_size"] } else { &["msg_size"] },
        lacking: comm_size.is_none().then_some([message, advice::COMM_SIZE]),
        counted: basis.map(Counted::Of),
        unit: Some(TimeUnit::Seconds),
        ranks: Some("max"),
        method: MethodOf::Path(Some("library")),
        ..Section::default()
    };
    sink.begin(part, section)
}

struct Line<'l> {
    header: &'l [String],
    words: &'l [&'l str],
    number: u64,
}

impl Line<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.words.get(self.header.iter().position(|column| column == name)?).copied()
    }

    fn read(
        &self,
        comm_size: Option<u64>,
        element_size: Option<u64>,
        rows: &mut Rows,
        sink: &mut FileSink<'_, '_>,
    ) -> Result<(), Problem> {
        if self.get("errorcode").is_some_and(|code| code != "0") {
            sink.note("a repeat with an error code was dropped");
            return Ok(());
        }
        if self.get("valid_nrep") == Some("0") {
            sink.note("a point without a valid repeat was dropped");
            return Ok(());
        }
        let sizes: Vec<u64> = comm_size.into_iter().chain([self.msg_size(element_size)?]).collect();
        if let Some(word) = self.get("runtime_sec") {
            if let Some(time) = sink.time(self.number, word, "a time above 0") {
                sink.row(rows, &FileRow::new(self.number, &sizes, Measured::Repeat(time)));
            }
            return Ok(());
        }
        let given: Vec<(Statistic, &str)> =
            STATISTICS.iter().filter_map(|(name, statistic)| Some((*statistic, self.get(name)?))).collect();
        if given.is_empty() {
            let message = "the table holds neither `runtime_sec` nor a statistic of it";
            return Err(Problem::new(Place::Line(self.number), message)
                .help("make the benchmark print run times instead of the clock of each process"));
        }
        let times = given
            .iter()
            .map(|(statistic, word)| Some((*statistic, sink.time(self.number, word, "a time above 0")?)));
        if let Some(times) = times.collect::<Option<Vec<_>>>() {
            sink.row(rows, &FileRow::new(self.number, &sizes, Measured::Statistics(&times)));
        }
        Ok(())
    }

    fn msg_size(&self, element_size: Option<u64>) -> Result<u64, Problem> {
        let whole =
            |word: &str| word.parse::<u64>().map_err(|_| unexpected(self.number, word, "a message size"));
        if let Some(bytes) = self.get("msize_bytes") {
            return whole(bytes);
        }
        let Some(element_size) = element_size else {
            let message = "the message sizes count elements, and no line `#@datatype_size_bytes=` gives the size of one";
            return Err(Problem::new(Place::Line(self.number), message).help(advice::ELEMENT_SIZE));
        };
        let count = whole(self.get("count").unwrap_or_default())?;
        count.checked_mul(element_size).ok_or_else(|| {
            let message = Message::default().value(count).text(" elements have too many bytes to count");
            Problem::new(Place::Line(self.number), message)
        })
    }
}
