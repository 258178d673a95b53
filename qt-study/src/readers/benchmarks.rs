//! What the readers of benchmark programs have in common: times by the names of benchmarks, whose arguments are sizes.

use std::io::{BufRead, Read};

use qtdec_core::listing::in_backticks;
use qtdec_core::{Method, Place, Problem};
use qtdec_times::TIMES;
use serde_json::Value;

use super::advice;
use super::argument::{Argument, Sample, VALUE};
use super::columns::Columns;
use super::lines::unreadable;
use super::options::is_of;
use super::sink::{FileRow, FileSink, Measured, MethodOf, Section};
use crate::measurements::{Statistic, TimeUnit};
use crate::size::size;

const MAX_JSON: u64 = 64 << 20;

pub(super) struct Benchmark {
    pub(super) method: String,
    pub(super) samples: Samples,
    pub(super) times: Times,
}

/// The arguments, each with the name of its axis, or the fault of one.
pub(super) type Samples = Result<Vec<(String, Sample)>, Problem>;

/// The times, in one unit for the file.
pub(super) enum Times {
    Repeats(Vec<f64>),
    Statistics(Vec<(Statistic, f64)>),
}

pub(super) fn json(input: &mut dyn BufRead) -> Result<Value, Problem> {
    let mut bytes = Vec::new();
    input.take(MAX_JSON + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_JSON {
        return Err(Problem::new(Place::File, "the file is larger than 64 MiB"));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("the file is not JSON: {error}");
        let problem = Problem::new(Place::Line(error.line() as u64), message);
        if error.is_eof() { problem.help("was the benchmark interrupted?") } else { problem }
    })
}

/// Returns the method and the sizes that the parts of a benchmark's name show: `sort/merge/64`, `BM_sort/n:64/threads:2`,
/// `merge_128x256`.
pub(super) fn method_and_sizes<'p>(parts: impl IntoIterator<Item = &'p str>) -> (String, Samples) {
    let mut fault = None;
    let mut method: Vec<&str> = Vec::new();
    let mut groups: Vec<Vec<(String, Sample)>> = Vec::new();
    for part in parts {
        if let Some((name, text)) =
            part.split_once(':').filter(|(name, _)| qtdec_core::naming::is_identifier(name))
            && let Some(size) = size(text)
        {
            groups.push(vec![(name.to_owned(), Sample::Size(size))]);
            continue;
        }
        match Argument::from_text(part) {
            Argument::None => method.push(part),
            Argument::Samples(samples) => groups.push(samples),
            Argument::Other => {
                let problem = Problem::new(Place::File, format!("the argument `{part}` is not a size"));
                let help = "measure with whole numbers, or with labels that have a name, as 64, 128x256 or len=128,order=sorted";
                fault = fault.or(Some(problem.help(help)));
                method.push(part);
            }
        }
    }
    // The end of a function's name, as in `merge_64`.
    if groups.is_empty()
        && let Some(last) = method.last_mut()
        && let Some((name, samples)) = sizes_at_end(last)
    {
        *last = name;
        groups.push(samples);
    }
    let unnamed = |name: &str| name.starts_with(VALUE);
    let count = groups.iter().flatten().filter(|(name, _)| unnamed(name)).count();
    let mut number = 0;
    let renamed = groups.into_iter().flatten().map(|(name, sample)| {
        if !unnamed(&name) || count == 1 {
            return (if unnamed(&name) { VALUE.to_owned() } else { name }, sample);
        }
        number += 1;
        (format!("{VALUE}_{number}"), sample)
    });
    let renamed = renamed.collect();
    (method.join("::"), fault.map_or(Ok(renamed), Err))
}

/// Returns the name of a function without the sizes at its end. A single number after a hyphen is part of it, as in `sha-256`.
fn sizes_at_end(name: &str) -> Option<(&str, Vec<(String, Sample)>)> {
    let name = name.trim_end_matches('_');
    let ends = [name.rsplit_once(['_', ' ']), name.rsplit_once('-')];
    ends.into_iter().enumerate().find_map(|(at, end)| {
        let (name, end) = end.filter(|(name, _)| !name.is_empty())?;
        let Argument::Samples(samples) = Argument::from_text(end) else { return None };
        (samples.len() > at).then_some((name, samples))
    })
}

/// Records benchmarks, all of which have the same arguments. If there are some with sizes, the others are left out.
pub(super) fn record(
    benchmarks: Vec<Benchmark>,
    unit: TimeUnit,
    sink: &mut FileSink<'_, '_>,
) -> Result<(), Problem> {
    let mut with_sizes = Vec::new();
    let mut others = Vec::new();
    let mut excluded = Vec::new();
    let is_fixed = sink.known.method.is_some();
    for Benchmark { method, samples, times } in benchmarks {
        let is_excluded = |pattern: &String| !is_fixed && is_of(pattern, &method);
        match samples {
            _ if sink.options.exclude.iter().any(is_excluded) => excluded.push(method),
            Ok(samples) if !samples.is_empty() || !sink.known.sizes.is_empty() => {
                with_sizes.push((method, samples, times));
            }
            samples => others.push((method, samples)),
        }
    }
    // Their names are known, for whoever excludes them.
    if !excluded.is_empty()
        && let Some(part) = sink.part(None)
    {
        for method in &excluded {
            sink.method(part, Method::new(method.clone()));
        }
    }
    let Some((first, samples, _)) = with_sizes.first() else {
        if others.is_empty() && !excluded.is_empty() {
            return Ok(());
        }
        let (method, samples) =
            others.into_iter().next().ok_or_else(|| Problem::new(Place::File, "the file has no times"))?;
        sink.foreign = true;
        let message = format!("the benchmark `{method}` has no argument that is a size");
        let help = advice::arguments_or_path(&sink.name);
        return Err(samples.err().unwrap_or_else(|| Problem::new(Place::File, message).help(help)));
    };
    if !others.is_empty() {
        let names: Vec<String> = others.into_iter().map(|(method, _)| method).collect();
        sink.note(format!(
            "benchmarks without an argument that is a size are left out: {}",
            in_backticks(&names)
        ));
    }
    let names = |samples: &[(String, Sample)]| -> Vec<String> {
        samples.iter().map(|(name, _)| name.clone()).collect()
    };
    let axes = names(samples);
    if let Some((other, samples, _)) = with_sizes.iter().find(|(_, samples, _)| names(samples) != axes) {
        let shown = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let message = format!(
            "`{}` has the arguments {}, and `{}` has {}",
            first,
            shown(&axes),
            other,
            shown(&names(samples))
        );
        return Err(Problem::new(Place::File, message).help("put them into separate files"));
    }
    let renamed = renamed(&axes, &sink.options.columns)?;
    let samples: Vec<&[(String, Sample)]> = with_sizes.iter().map(|(_, samples, _)| &**samples).collect();
    let labelled = labelled(&renamed, &samples)?;
    let renamed: Vec<&str> = renamed.iter().map(String::as_str).collect();
    let section = Section {
        axes: &renamed,
        labelled: &labelled,
        unit: Some(unit),
        method: if is_fixed { MethodOf::Path(None) } else { MethodOf::Row },
        ..Section::default()
    };
    let Some(part) = sink.part(None) else { return Ok(()) };
    let Some(mut rows) = sink.begin(part, section) else { return Ok(()) };
    for (method, samples, times) in &with_sizes {
        let method = Method::new(method.clone());
        let method = (!is_fixed).then(|| sink.method(part, method));
        let sizes = renamed.iter().zip(samples).filter_map(|(axis, (_, sample))| match sample {
            Sample::Size(size) => Some(*size),
            Sample::Label(label) => sink.label(&rows, axis, label),
        });
        let sizes: Vec<u64> = sizes.collect();
        let measured = match times {
            Times::Repeats(repeats) => Measured::Repeats(repeats),
            Times::Statistics(given) => Measured::Statistics(given),
        };
        sink.row(&mut rows, &FileRow { method, ..FileRow::new(1, &sizes, measured) });
    }
    Ok(())
}

/// Returns the user's names for the arguments of benchmarks, which `--columns` calls by name or by number.
fn renamed(arguments: &[String], columns: &Columns) -> Result<Vec<String>, Problem> {
    let mut renamed = arguments.to_vec();
    let position = |column: &str| {
        let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < arguments.len());
        arguments.iter().position(|name| name == column).or_else(number)
    };
    for (key, column) in columns.pairs() {
        let axis = columns.axes.iter().find(|(_, known)| *known == column);
        let (Some((axis, _)), Some(at)) = (axis, position(&column)) else {
            let known = match arguments {
                [] => "the benchmarks have no arguments".to_owned(),
                arguments => format!("the arguments of the benchmarks are {}", arguments.join(", ")),
            };
            return Err(advice::no_argument(&key, &column, &known));
        };
        renamed[at].clone_from(axis);
    }
    Ok(renamed)
}

/// Returns the axes that have labels in the samples of all benchmarks.
fn labelled(axes: &[String], samples: &[&[(String, Sample)]]) -> Result<Vec<String>, Problem> {
    let mut labelled = Vec::new();
    for (at, axis) in axes.iter().enumerate() {
        let (mut label, mut size) = (None, None);
        for (_, sample) in samples.iter().filter_map(|samples| samples.get(at)) {
            match sample {
                Sample::Label(found) => label = label.or(Some(found)),
                Sample::Size(found) => size = size.or(Some(found)),
            }
        }
        match (label, size) {
            (Some(label), Some(size)) => {
                let message = format!("`{axis}` is `{size}` in some benchmarks and `{label}` in others");
                return Err(Problem::new(Place::File, message).help("an axis has either sizes or labels"));
            }
            (Some(_), None) => labelled.push(axis.clone()),
            (None, _) => {}
        }
    }
    Ok(labelled)
}

/// Returns the times of repeats, or otherwise their median and mean.
pub(super) fn repeats_or_statistics(repeats: &Value, of: &Value) -> Option<Times> {
    let times = repeats.as_array().into_iter().flatten();
    let times: Vec<f64> = times.filter_map(Value::as_f64).filter_map(valid).collect();
    let statistic = |key: &str, statistic| Some((statistic, of[key].as_f64().and_then(valid)?));
    let given = [statistic("median", Statistic::Median), statistic("mean", Statistic::Mean)];
    let given: Vec<(Statistic, f64)> = given.into_iter().flatten().collect();
    match (times.is_empty(), given.is_empty()) {
        (false, _) => Some(Times::Repeats(times)),
        (true, false) => Some(Times::Statistics(given)),
        (true, true) => None,
    }
}

/// Returns a time that can be recorded.
pub(super) fn valid(time: f64) -> Option<f64> {
    TIMES.contains(&time).then_some(time)
}

/// Returns the fault that a file lacks times where they are expected.
pub(super) fn lacks(what: &str) -> Problem {
    Problem::new(Place::File, format!("the file has no {what}"))
        .help("give the file as the benchmark writes it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_methods_and_sizes() {
        let of = |name: &str| {
            let (method, samples) = method_and_sizes(name.split('/'));
            (method, samples.unwrap())
        };
        let sizes = |sizes: &[(&str, u64)]| -> Vec<(String, Sample)> {
            sizes.iter().map(|(name, size)| ((*name).to_owned(), Sample::Size(*size))).collect()
        };
        for (name, method, expected) in [
            ("merge/64", "merge", sizes(&[("value", 64)])),
            ("sort/merge/4K", "sort::merge", sizes(&[("value", 4096)])),
            ("merge/128x256", "merge", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("merge/128/256", "merge", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("merge/len=128,range=256", "merge", sizes(&[("len", 128), ("range", 256)])),
            ("merge/(128, 256)", "merge", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("BM_merge/n:64/threads:2", "BM_merge", sizes(&[("n", 64), ("threads", 2)])),
            ("merge_64", "merge", sizes(&[("value", 64)])),
            ("merge_128x256", "merge", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("merge_64_", "merge", sizes(&[("value", 64)])),
            ("merge_2^10", "merge", sizes(&[("value", 1024)])),
            ("merge/1Ki", "merge", sizes(&[("value", 1024)])),
            ("gemm-6×2304×8", "gemm", sizes(&[("value_1", 6), ("value_2", 2304), ("value_3", 8)])),
            ("f32_nn-6x8", "f32_nn", sizes(&[("value_1", 6), ("value_2", 8)])),
            ("sha-256", "sha-256", sizes(&[])),
            ("merge_", "merge_", sizes(&[])),
            ("merge", "merge", sizes(&[])),
        ] {
            assert_eq!(of(name), (method.to_owned(), expected), "{name}");
        }
        assert!(method_and_sizes(["merge", "4.5"]).1.is_err());
    }
}
