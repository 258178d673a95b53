//! pytest-benchmark's JSON: <https://pytest-benchmark.readthedocs.io>, `--benchmark-json`.
//!
//! Parameters of tests are axes: sizes, and labels such as an order. Where all benchmarks are of one test with one parameter of labels,
//! these are the methods.

use std::io::BufRead;

use qtdec_core::{Place, Problem};
use serde_json::Value;

use super::Format;
use super::argument::{Sample, is_label};
use super::benchmarks::{Benchmark, json, lacks, method_and_sizes, record, repeats_or_statistics};
use super::sink::FileSink;
use crate::measurements::TimeUnit;
use crate::size::size;

pub(super) const FORMAT: Format =
    Format { has_lines: false, uses_columns: true, ..Format::new("pytest-benchmark", recognises, read) };

fn recognises(head: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains("\"machine_info\"")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let file = json(input)?;
    let all = file["benchmarks"].as_array().ok_or_else(|| lacks("benchmarks"))?;
    let tests = all.iter().map(test).collect::<Result<Vec<_>, Problem>>()?;
    let is_one_file = tests.iter().all(|(file, _)| *file == tests[0].0);
    let is_one_test = tests.iter().all(|test| *test == tests[0]);
    let mut benchmarks = Vec::new();
    for (benchmark, (file, test)) in all.iter().zip(&tests) {
        let method = if is_one_file { (*test).to_owned() } else { format!("{file}::{test}") };
        benchmarks.push(read_benchmark(benchmark, &method, is_one_test)?);
    }
    record(benchmarks, TimeUnit::Seconds, sink)
}

/// Returns the file and the test of a benchmark: `tests/test_sort.py::test_sort[64]`.
fn test(benchmark: &Value) -> Result<(&str, &str), Problem> {
    let name = benchmark["fullname"].as_str().ok_or_else(|| lacks("names of benchmarks"))?;
    let name = name.split('[').next().unwrap_or_default();
    Ok(name.split_once("::").unwrap_or(("", name)))
}

fn read_benchmark(benchmark: &Value, test: &str, is_one_test: bool) -> Result<Benchmark, Problem> {
    let (mut method, samples) = method_and_sizes(test.split("::"));
    let mut samples = samples?;
    let mut labels = Vec::new();
    for (name, value) in benchmark["params"].as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match size(&text) {
            Some(size) => samples.push((name.clone(), Sample::Size(size))),
            None if is_label(&text) => labels.push((name.clone(), text)),
            None => {
                let message = format!("the parameter `{name}` is `{text}`, neither a size nor a label");
                return Err(Problem::new(Place::File, message).help("measure with whole numbers or words"));
            }
        }
    }
    if let ([(_, label)], true) = (&labels[..], is_one_test) {
        method.clone_from(label);
    } else {
        samples.extend(labels.into_iter().map(|(name, label)| (name, Sample::Label(label))));
    }
    let stats = &benchmark["stats"];
    let times = repeats_or_statistics(&stats["data"], stats);
    let times = times.ok_or_else(|| lacks(&format!("times of `{method}`")))?;
    Ok(Benchmark { method, samples: Ok(samples), times })
}
