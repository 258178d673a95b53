//! The output of divan: <https://docs.rs/divan>.
//!
//! It is a tree of benchmarks, whose leaves have the fastest, slowest, median and mean time of an iteration. An argument at a leaf
//! is the axis `value`, and its parts are axes if it has several; the names above it, below that of the program, are the method.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::advice;
use super::argument::Argument;
use super::benchmarks::{Benchmark, Times, record};
use super::lines::each;
use super::sink::FileSink;
use crate::measurements::{Statistic, TimeUnit};

pub(super) const FORMAT: Format =
    Format { uses_columns: true, ..Format::new("divan", |head| head.lines().any(is_header), read) };

/// The contents of the columns, in order.
const STATISTICS: [Statistic; 4] = [Statistic::Min, Statistic::Max, Statistic::Median, Statistic::Mean];

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut within = false;
    let mut names: Vec<String> = Vec::new();
    let mut benchmarks = Vec::new();
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
                sink.faults.add(super::lines::unexpected(line, cell, "a time and its unit, such as 1.25 µs"));
                return Ok(());
            };
            given.push((statistic, time));
        }
        // An argument is a size, never a part of the method.
        let argument = names.last().map_or(Argument::None, |name| Argument::from_text(name));
        let samples = match argument {
            Argument::None => Ok(Vec::new()),
            Argument::Samples(samples) => Ok(samples),
            Argument::Other => {
                let text = names.last().map_or("", String::as_str);
                let known =
                    super::lines::unexpected(line, text, "a size, as the arguments of benchmarks are");
                Err(known.help(advice::NUMBERS_OR_PATHS))
            }
        };
        let has_sizes = samples.as_ref().is_ok_and(|samples| !samples.is_empty());
        let of = names.len() - usize::from(has_sizes && names.len() > 1);
        let method = names[..of].join("::");
        benchmarks.push(Benchmark { method, samples, times: Times::Statistics(given) });
        Ok(())
    })?;
    record(benchmarks, TimeUnit::Nanoseconds, sink)
}

fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace().filter(|word| *word != "│");
    let is_name = |word: &str| !word.contains([':', '>', ']', '|']);
    words.next().is_some_and(is_name)
        && ["fastest", "slowest", "median", "mean"].into_iter().all(|name| words.next() == Some(name))
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
