//! Google Benchmark's JSON: <https://github.com/google/benchmark/blob/main/docs/user_guide.md>, `--benchmark_format=json`.
//!
//! The parts of a name after its first are arguments, as in `BM_sort/64` and `BM_sort/n:64`. The repetitions are repeats of the real
//! time; if there are only aggregates, their median and mean are read.

use std::io::BufRead;

use indexmap::IndexMap;
use qtdec_core::{Place, Problem};
use serde_json::Value;

use super::Format;
use super::benchmarks::{Benchmark, Times, json, lacks, method_and_sizes, record, valid};
use super::sink::FileSink;
use crate::measurements::{Statistic, TimeUnit};

pub(super) const FORMAT: Format =
    Format { has_lines: false, uses_columns: true, ..Format::new("google-benchmark", recognises, read) };

/// Parts of a name that say how was measured.
const SETTINGS: [&str; 6] = ["real_time", "process_time", "manual_time", "iterations", "repeats", "min_time"];

fn recognises(head: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains("\"context\"") && head.contains("\"benchmarks\"")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let file = json(input)?;
    let all = file["benchmarks"].as_array().ok_or_else(|| lacks("benchmarks"))?;
    let mut repeats: IndexMap<&str, Vec<f64>> = IndexMap::new();
    let mut statistics: IndexMap<&str, Vec<(Statistic, f64)>> = IndexMap::new();
    for benchmark in all.iter().filter(|benchmark| benchmark["error_occurred"] != Value::Bool(true)) {
        let name = benchmark["run_name"].as_str().or_else(|| benchmark["name"].as_str());
        let name = name.ok_or_else(|| lacks("names of benchmarks"))?;
        let unit = benchmark["time_unit"].as_str().unwrap_or("ns");
        let Some((_, unit)) = TimeUnit::ALL.iter().find(|(known, _)| *known == unit) else {
            return Err(Problem::new(Place::File, format!("`{name}` has times in `{unit}`"))
                .help("the units of Google Benchmark are ns, us, ms and s"));
        };
        let factor = unit.in_units_of(TimeUnit::Nanoseconds);
        let time = benchmark["real_time"].as_f64().and_then(|time| valid(time * factor));
        let Some(time) = time else {
            sink.missing_time();
            continue;
        };
        match benchmark["aggregate_name"].as_str() {
            None => repeats.entry(name).or_default().push(time),
            Some("median") => statistics.entry(name).or_default().push((Statistic::Median, time)),
            Some("mean") => statistics.entry(name).or_default().push((Statistic::Mean, time)),
            Some(_) => {}
        }
    }
    let mut benchmarks = Vec::new();
    statistics.retain(|name, _| !repeats.contains_key(name));
    let statistics = statistics.into_iter().map(|(name, given)| (name, Times::Statistics(given)));
    let repeats = repeats.into_iter().map(|(name, times)| (name, Times::Repeats(times)));
    for (name, times) in repeats.chain(statistics) {
        let is_setting = |part: &&str| SETTINGS.contains(&part.split(':').next().unwrap_or_default());
        let (method, samples) = method_and_sizes(name.split('/').filter(|part| !is_setting(part)));
        benchmarks.push(Benchmark { method, samples, times });
    }
    record(benchmarks, TimeUnit::Nanoseconds, sink)
}
