//! The output of divan: <https://docs.rs/divan>.
//!
//! It is a tree of benchmarks, whose leaves have the fastest, slowest, median and mean time of an iteration. An argument at a leaf
//! is the axis `value`, unless the path names the axes; the names above it, below that of the program, are the method.

use std::io::BufRead;

use qtdec_core::{Place, Problem};

use super::Format;
use super::lines::each;
use super::sink::{FileSink, Measured, Row};
use crate::measure::measurements::{MeasuredMethod, Statistic, TimeUnit};

pub(super) struct Divan;

/// The contents of the columns, in order.
const STATISTICS: [Statistic; 4] = [Statistic::Min, Statistic::Max, Statistic::Median, Statistic::Mean];

impl Format for Divan {
    fn name(&self) -> &'static str {
        "divan"
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().any(is_header)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let mut within = false;
        let mut names: Vec<String> = Vec::new();
        let mut began: Option<bool> = None;
        each(input, |line, text| {
            if is_header(text) {
                within = true;
                names.clear();
                return Ok(());
            }
            // Lines without a branch hold throughputs.
            let Some((depth, entry)) = branch(text).filter(|_| within) else { return Ok(()) };
            let (name, first) = entry.split_once("  ").unwrap_or((entry, ""));
            names.truncate(depth);
            names.push(name.trim().to_owned());
            let cells: Vec<&str> = first.split('│').map(str::trim).collect();
            if cells.len() < STATISTICS.len() || cells[0].is_empty() {
                return Ok(());
            }
            let mut given = Vec::new();
            for (statistic, cell) in STATISTICS.into_iter().zip(cells) {
                let Some(time) = time(cell) else {
                    sink.faults.add(super::lines::unexpected(
                        line,
                        cell,
                        "a time and its unit, such as 1.25 µs",
                    ));
                    return Ok(());
                };
                given.push((statistic, time));
            }
            // Either the path names the axes, or the last name is an argument.
            let value = names.last().and_then(|name| name.parse::<u64>().ok());
            let size = value.filter(|_| !sink.names_axes());
            let known = match began {
                Some(had_size) if had_size != size.is_some() => {
                    let message =
                        "some benchmarks have a whole number as their argument, and others have none";
                    return Err(Problem::new(Place::Line(line), message).help("put them into separate files"));
                }
                Some(_) => Some(()),
                None => sink.begin(
                    if size.is_some() { &["value"] } else { &[] },
                    None,
                    Some(TimeUnit::Nanoseconds),
                    None,
                ),
            };
            if known.is_none() {
                within = false;
                return Ok(());
            }
            began = Some(size.is_some());
            let method = match sink.fixed("method") {
                Some(_) => sink.fixed_method(None),
                None => {
                    let of = names.len() - usize::from(size.is_some() && names.len() > 1);
                    Some(sink.method(MeasuredMethod { name: names[..of].join("::"), segment_size: None }))
                }
            };
            if let Some(method) = method {
                let sizes: Vec<u64> = size.into_iter().collect();
                let measured = Measured::Statistics(&given);
                sink.row(&Row { line, sizes: &sizes, method, run: None, measured });
            }
            Ok(())
        })
    }
}

/// Returns whether a line holds the program's name and the names of the columns.
fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace().skip(1).filter(|word| *word != "│");
    ["fastest", "slowest", "median", "mean"].into_iter().all(|name| words.next() == Some(name))
}

/// Returns the depth of a branch of the tree, and its text.
fn branch(line: &str) -> Option<(usize, &str)> {
    let (before, entry) = line.split_once("─ ")?;
    let before = before.strip_suffix(['├', '╰'])?;
    before.chars().all(|character| character == '│' || character == ' ').then_some(())?;
    Some((before.chars().count() / 3, entry))
}

/// Returns a time in nanoseconds.
fn time(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let factor = match unit.trim() {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" | "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let time = number.parse::<f64>().ok()? * factor;
    (time.is_finite() && time > 0.0).then_some(time)
}
