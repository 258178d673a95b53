//! The output of divan: <https://docs.rs/divan>.
//!
//! It is a tree of benchmarks, whose leaves have the fastest, slowest, median and mean time of an iteration. An argument at a leaf
//! is the axis `value`, and its parts are axes if it has several; the names above it, below that of the program, are the method.

use std::io::BufRead;

use qtdec_core::{Place, Problem};

use super::Format;
use super::advice;
use super::argument::Argument;
use super::lines::each;
use super::sink::{FileRow, FileSink, Measured};
use crate::measurements::{MeasuredMethod, Statistic, TimeUnit};

pub(super) struct Divan;

/// The contents of the columns, in order.
const STATISTICS: [Statistic; 4] = [Statistic::Min, Statistic::Max, Statistic::Median, Statistic::Mean];

impl Format for Divan {
    fn name(&self) -> &'static str {
        "divan"
    }

    fn uses_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().any(is_header)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let mut within = false;
        let mut names: Vec<String> = Vec::new();
        let mut began: Option<Vec<String>> = None;
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
            // An argument is a size, never a part of the method.
            let argument = names.last().map_or(Argument::None, |name| Argument::from_text(name));
            let sizes = match argument {
                Argument::None => Vec::new(),
                Argument::Sizes(sizes) => sizes,
                Argument::Other => {
                    let text = names.last().map_or("", String::as_str);
                    let known =
                        super::lines::unexpected(line, text, "a size, as the arguments of benchmarks are");
                    return Err(known.help(advice::numbers_or_paths()));
                }
            };
            let axes: Vec<String> = sizes.iter().map(|(name, _)| name.clone()).collect();
            let known = match &began {
                Some(before) if *before != axes => {
                    let message = "some benchmarks have other arguments than those before";
                    return Err(Problem::new(Place::Line(line), message).help("put them into separate files"));
                }
                Some(_) => Some(()),
                None => {
                    let renamed = sink.renamed(&axes)?;
                    let renamed: Vec<&str> = renamed.iter().map(String::as_str).collect();
                    sink.begin(&renamed, None, Some(TimeUnit::Nanoseconds), None)
                }
            };
            if known.is_none() {
                within = false;
                return Ok(());
            }
            began = Some(axes);
            let method = match sink.known().method {
                Some(_) => sink.fixed_method(None),
                None => {
                    let of = names.len() - usize::from(!sizes.is_empty() && names.len() > 1);
                    Some(sink.method(MeasuredMethod { name: names[..of].join("::"), segment_size: None }))
                }
            };
            if let Some(method) = method {
                let sizes: Vec<u64> = sizes.iter().map(|(_, size)| *size).collect();
                let measured = Measured::Statistics(&given);
                sink.row(&FileRow { line, sizes: &sizes, method, run: None, measured });
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
