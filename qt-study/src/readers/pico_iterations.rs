//! Raw times of PICO, one file for each size and algorithm: <https://github.com/HLC-Lab/pico>.
//!
//! A column `highest` holds the slowest rank's time of each iteration in nanoseconds. With the output level `all`, the columns
//! `rank0`, `rank1` and so on hold each rank's time, and their number is the communicator size. The name of the file contains
//! elements, algorithm, optionally the segment size, and datatype: `512_ring_ompi_int32.csv`. The collective and, without the
//! ranks' columns, the communicator size come from the path or the user. Sizes have the same basis as in the summaries.
//!
//! The programs for GPUs write a line of their own after the rows, `-> Buffer: 2048 byte - …, Latency: 0.000203925, …`, which repeats
//! what the rows show.

use std::io::BufRead;

use qtdec_core::{Method, Place, Problem};

use super::advice;
use super::lines::each;
use super::pico::basis;
use super::sink::{FileRow, FileSink, Measured, MethodOf, Rows, Section};
use super::{Counted, Format};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format::new(
    "pico-iterations",
    |head| head.lines().next().is_some_and(|line| ranks(line).is_some()),
    read,
);

/// The beginning of a line about all rows.
const SUMMARY: &str = "-> ";

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut begun = None;
    let mut columns = 0;
    each(input, |line, text| {
        if line == 1 {
            let ranks = ranks(text).ok_or_else(|| {
                Problem::new(Place::Line(1), "the first column is not `highest`, as PICO writes it")
            })?;
            columns = ranks + 1;
            begun = begin(ranks as u64, sink);
            return Ok(());
        }
        let is_row = !text.is_empty() && !text.starts_with(SUMMARY);
        let Some((sizes, rows)) = begun.as_mut().filter(|_| is_row) else { return Ok(()) };
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        if words.len() != columns {
            let message = format!("the row has {} entries, the header {columns}", words.len());
            sink.faults.add(Problem::new(Place::Line(line), message));
            return Ok(());
        }
        if let Some(time) = sink.time(line, words[0], "a time above 0") {
            sink.row(rows, &FileRow::new(line, sizes, Measured::Repeat(time)));
        }
        Ok(())
    })
}

/// Returns the number of ranks that have columns of their own in a header of such a file.
fn ranks(header: &str) -> Option<usize> {
    let mut names = header.trim().split(',');
    (names.next()? == "highest").then_some(())?;
    let rest: Vec<&str> = names.collect();
    let numbered = rest.iter().enumerate().all(|(rank, name)| *name == format!("rank{rank}"));
    numbered.then_some(rest.len())
}

/// Returns the sizes of all rows of a file, which begin.
fn begin(ranks: u64, sink: &mut FileSink<'_, '_>) -> Option<(Vec<u64>, Rows)> {
    let named = named(&sink.name);
    let (mut axes, mut sizes) = (Vec::new(), Vec::new());
    for (axis, own) in [
        ("comm_size", Some(ranks).filter(|ranks| *ranks > 0)),
        ("msg_size", named.as_ref().map(|(bytes, _)| *bytes)),
    ] {
        match own.filter(|_| sink.known.size(axis).is_none()) {
            Some(size) => {
                axes.push(axis);
                sizes.push(size);
            }
            None if sink.known.size(axis).is_some() => {}
            None => {
                let problem =
                    Problem::new(Place::File, format!("neither the file nor its name specifies `{axis}`"));
                sink.faults.add(problem.help(advice::axis(axis)));
                return None;
            }
        }
    }
    let method = match named.filter(|_| sink.known.method.is_none()) {
        Some((_, method)) => MethodOf::Section(method),
        None => MethodOf::Path(None),
    };
    let section = Section {
        axes: &axes,
        counted: sink.collective().as_deref().and_then(basis).map(Counted::Of),
        unit: Some(TimeUnit::Nanoseconds),
        ranks: Some("max"),
        method,
        ..Section::default()
    };
    let part = sink.part(None)?;
    Some((sizes, sink.begin(part, section)?))
}

/// Returns the bytes and the method in a file's name: `512_ring_ompi_int32.csv` or `512_ring_4096_int32.csv`, whatever the compression.
fn named(path: &str) -> Option<(u64, Method)> {
    let file = path.rsplit(['/', '\\']).next()?;
    let (stem, _) = file.split_once(".csv")?;
    let (count, rest) = stem.split_once('_')?;
    let (name, datatype) = TYPES
        .into_iter()
        .find_map(|(datatype, bytes)| Some((rest.strip_suffix(datatype)?.strip_suffix('_')?, bytes)))?;
    let (name, segment_size) = match name.rsplit_once('_').map(|(name, last)| (name, last.parse::<u64>())) {
        Some((name, Ok(segment_size))) => (name, Some(segment_size)),
        _ => (name, None),
    };
    let bytes = count.parse::<u64>().ok()?.checked_mul(datatype)?;
    (!name.is_empty()).then(|| (bytes, Method { segment_size, ..Method::new(name) }))
}

/// PICO's datatypes with their sizes; a name that ends like another stands before it.
const TYPES: [(&str, u64); 9] = [
    ("unsigned_char", 1),
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("int", 4),
    ("float", 4),
    ("double", 8),
    ("char", 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_contain_the_size_and_the_algorithm() {
        let found = |path: &str| named(path).map(|(bytes, method)| (bytes, method.name, method.segment_size));
        let expected = |bytes, name: &str, segment_size| Some((bytes, name.to_owned(), segment_size));
        assert_eq!(found("a/512_ring_ompi_int32.csv"), expected(2048, "ring_ompi", None));
        assert_eq!(found("8_bine_lat_4096_double.csv.xz"), expected(64, "bine_lat", Some(4096)));
        assert_eq!(found("3_default_unsigned_char.csv"), expected(3, "default", None));
        for path in ["ring_ompi_int32.csv", "512_ring_real.csv", "512_int32.csv", "512_ring_int32.txt", ""] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn the_ranks_are_counted() {
        assert_eq!([ranks("highest"), ranks("highest,rank0,rank1\r")], [Some(0), Some(2)]);
        assert_eq!([ranks("highest,rank1"), ranks("rank0,highest"), ranks("")], [None; 3]);
    }
}
