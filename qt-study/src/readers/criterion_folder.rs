//! criterion's default output: `GROUP/FUNCTION/VALUE/new/sample.json`, and the names in `benchmark.json` next to it.
//!
//! A sample is the time of a number of iterations in nanoseconds. The function is the method, or the group if the benchmark has a value
//! alone. Without `benchmark.json`, as in an archive, the names are those of the folders.

use std::io::{BufRead, BufReader};
use std::path::Path;

use qtdec_core::Problem;
use serde_json::Value;

use super::Format;
use super::argument::Argument;
use super::benchmarks::{Benchmark, Times, json, lacks, method_and_sizes, record, valid};
use super::regular::open_regular;
use super::sink::FileSink;
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format {
    has_lines: false,
    is_companion,
    uses_columns: true,
    ..Format::new("criterion-folder", recognises, read)
};

/// The files that criterion writes next to its samples.
const COMPANIONS: [&str; 3] = ["benchmark.json", "estimates.json", "tukey.json"];

/// Returns whether a file is a picture or a page.
fn is_drawn(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "svg" || extension == "html")
}

fn is_companion(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let (name, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_of_run = ["new", "base", "change"].contains(&folder);
    is_of_run && COMPANIONS.contains(&name)
        // `base` has the samples of the run before, or a copy of `new`.
        || ["base", "change"].contains(&folder) && name == "sample.json"
        || is_drawn(name) && path.split('/').any(|part| part == "report")
}

fn recognises(head: &str) -> bool {
    let bare: String = head.chars().filter(|character| !character.is_whitespace()).take(200).collect();
    bare.starts_with("{\"sampling_mode\":") && bare.contains("\"iters\":[")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let path = sink.name.replace('\\', "/");
    // With the feature `csv_output` the same samples are in a table, which is read too.
    if Path::new(&path).with_file_name("raw.csv").is_file() {
        return Ok(());
    }
    let file = json(input)?;
    let numbers =
        |key: &str| -> Option<Vec<f64>> { file[key].as_array()?.iter().map(Value::as_f64).collect() };
    let (Some(iterations), Some(times)) = (numbers("iters"), numbers("times")) else {
        return Err(lacks("samples"));
    };
    let repeats: Option<Vec<f64>> =
        times.iter().zip(&iterations).map(|(time, iterations)| valid(time / iterations)).collect();
    let repeats = repeats.filter(|repeats| !repeats.is_empty()).ok_or_else(|| lacks("samples above 0"))?;
    let (group, parts) = names(&path);
    if let Some(group) = group
        && !sink.is_of_group(group.trim())?
    {
        return Ok(());
    }
    sink.is_of_one_benchmark(times.iter().sum::<f64>() / 1e9);
    let (method, samples) = method_and_sizes(parts.iter().map(String::as_str));
    record(vec![Benchmark { method, samples, times: Times::Repeats(repeats) }], TimeUnit::Nanoseconds, sink)
}

/// Returns the group of a benchmark, if it is not the method itself, and the parts of the method and of the argument.
fn names(path: &str) -> (Option<String>, Vec<String>) {
    let described = open_regular(&Path::new(path).with_file_name("benchmark.json"));
    let described = described.ok().and_then(|file| json(&mut BufReader::new(file)).ok()).unwrap_or_default();
    let text = |key: &str| described[key].as_str().map(str::to_owned);
    let (group, function, value) = (text("group_id"), text("function_id"), text("value_str"));
    if let Some(group) = group {
        // Both names may have sizes at their ends: `merge/64` in the group `sort/random`, or `merge` in the group `sort/64`.
        let Some(function) = function else {
            return (None, group.split('/').map(str::to_owned).chain(value).collect());
        };
        let (group, sizes) = without_sizes(&group);
        let parts = function.split('/').chain(sizes).map(str::to_owned).chain(value).collect();
        return (Some(group), parts);
    }
    let folders: Vec<&str> = path.split('/').collect();
    let end = folders.len().saturating_sub(2);
    let begin = folders[..end]
        .iter()
        .rposition(|folder| *folder == "criterion")
        .map_or(end.saturating_sub(3), |at| at + 1);
    let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
    match &folders[begin..end] {
        [group, rest @ ..] if !rest.is_empty() && rest[0].parse::<u64>().is_err() => {
            (Some((*group).to_owned()), owned(rest))
        }
        parts => (None, owned(parts)),
    }
}

/// Returns the name of a group without the sizes at its end, and these.
fn without_sizes(group: &str) -> (String, Vec<&str>) {
    let mut names: Vec<&str> = group.split('/').collect();
    let is_name = |name: &&str| !matches!(Argument::from_text(name), Argument::Samples(_));
    let sizes = names.split_off(names.iter().rposition(is_name).map_or(1, |last| last + 1));
    (names.join("/"), sizes)
}
