//! hyperfine's JSON: <https://github.com/sharkdp/hyperfine>, `--export-json`.
//!
//! Parameters that are numbers are axes. The other parameters are the method, or the command is, with the names of the parameters in
//! place of their values.

use std::io::BufRead;

use qtdec_core::Problem;
use serde_json::Value;

use super::Format;
use super::argument::Sample;
use super::benchmarks::{Benchmark, json, lacks, method_and_sizes, record, repeats_or_statistics};
use super::sink::FileSink;
use crate::measurements::TimeUnit;
use crate::size::size;

pub(super) const FORMAT: Format =
    Format { has_lines: false, uses_columns: true, ..Format::new("hyperfine", recognises, read) };

fn recognises(head: &str) -> bool {
    let bare: String = head.chars().filter(|character| !character.is_whitespace()).take(60).collect();
    bare.starts_with("{\"results\":[{\"command\":")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let file = json(input)?;
    let results = file["results"].as_array().ok_or_else(|| lacks("results"))?;
    let benchmarks = results.iter().map(benchmark).collect::<Result<Vec<Benchmark>, Problem>>()?;
    record(benchmarks, TimeUnit::Seconds, sink)
}

fn benchmark(result: &Value) -> Result<Benchmark, Problem> {
    let command = result["command"].as_str().ok_or_else(|| lacks("commands"))?;
    let mut samples = Vec::new();
    let mut names = Vec::new();
    let mut general = command.to_owned();
    for (name, value) in result["parameters"].as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match size(&text) {
            Some(size) => {
                samples.push((name.clone(), Sample::Size(size)));
                general = with_name(&general, &text, name);
            }
            None => names.push(text),
        }
    }
    let (method, samples) = if samples.is_empty() {
        // `sort --merge 64` without parameters.
        let (method, samples) = method_and_sizes(command.split_whitespace());
        (method.replace("::", " "), samples)
    } else {
        (if names.is_empty() { general } else { names.join("/") }, Ok(samples))
    };
    let times = repeats_or_statistics(&result["times"], result);
    let times = times.ok_or_else(|| lacks(&format!("times of `{command}`")))?;
    Ok(Benchmark { method, samples, times })
}

/// Returns a command with the name of a parameter in braces in place of its value.
fn with_name(command: &str, value: &str, name: &str) -> String {
    let words = command.split(' ').map(|word| match word.rsplit_once('=') {
        _ if word == value => format!("{{{name}}}"),
        Some((before, after)) if after == value => format!("{before}={{{name}}}"),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}
