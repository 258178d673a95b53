//! Canonical times, as `qtdec read` writes them.

use std::collections::BTreeMap;
use std::io::BufRead;

use qtdec_core::{Basis, Method, Problem};

use super::sink::{FileRow, FileSink, Measured, MethodOf, PartNumber, Rows, Section};
use super::{Counted, Format};
use crate::canonical::{self, CONSTANT, RANKS, SEGMENT_SIZE, Sample, Series, Times};
use crate::measurements::Statistic;

pub(super) const FORMAT: Format =
    Format { has_columns: true, ..Format::new("canonical", canonical::is_canonical, read) };

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let times = match canonical::read(input, |bytes| sink.takes(bytes)) {
        Ok(times) => times,
        Err(problems) => {
            sink.faults.note(&problems);
            return Ok(());
        }
    };
    let filters = &sink.options.filters;
    for (number, (name, wanted)) in filters.iter().enumerate() {
        for value in times.values(name)? {
            sink.builder.selectors.filtered(number, value.as_bytes(), value == *wanted);
        }
    }
    match times.select(filters) {
        Ok(Some(times)) => {
            if let Some(times) = sink.keep(times) {
                convert(&times, sink);
            }
        }
        Ok(None) => {}
        Err(problems) => sink.faults.note(&problems),
    }
    Ok(())
}

/// Adds the times of the requested collective to the measurements.
fn convert(times: &Times, sink: &mut FileSink<'_, '_>) {
    let header = times.header();
    sink.about(&header.about);
    let all: Vec<&Series> = times.series().collect();
    for rows in times.rows().chunk_by(|one, other| collective(&all, one) == collective(&all, other)) {
        let part = sink.part(collective(&all, &rows[0]));
        if part.is_some_and(|part| convert_part(part, times, &all, rows, sink).is_none()) {
            return;
        }
    }
}

fn collective<'t>(all: &[&'t Series], row: &canonical::Row) -> Option<&'t str> {
    all[row.series as usize].collective.as_deref()
}

fn convert_part(
    part: PartNumber,
    times: &Times,
    all: &[&Series],
    rows: &[canonical::Row],
    sink: &mut FileSink<'_, '_>,
) -> Option<()> {
    let header = times.header();
    let mut is_used = vec![false; times.launches().len()];
    for row in rows {
        is_used[row.launch as usize] = true;
    }
    // Methods and launches become known in the order of the file, which is that of the map.
    let known: Vec<&canonical::Method> = times.methods().collect();
    let mut methods = vec![0; known.len()];
    for method in times.methods_of(collective(all, &rows[0])) {
        let of_file = known[method as usize];
        let number = sink.method(part, measured(of_file, times));
        methods[method as usize] = number;
        for (parameter, value) in header.parameters.iter().zip(&of_file.values) {
            if let (Some(CONSTANT), Ok(value)) = (parameter.unit.as_deref(), value.parse()) {
                sink.constant(part, 0, number, &parameter.name, value);
            }
        }
    }
    let mut launches: Vec<Option<u16>> = Vec::new();
    for (name, is_used) in times.launches().zip(is_used) {
        launches.push(match times.jobs().of(name) {
            Some(job) if is_used => Some(sink.launch_of_job(part, name, job)),
            None if is_used && !name.is_empty() => Some(sink.run(part, name)),
            _ => None,
        });
    }
    sink.describe_jobs(part, times.jobs());
    // An axis of one label is none; one size is a sample of a map.
    let is_chosen = |name: &str| sink.options.filters.iter().any(|(column, _)| column == name);
    let is_left = |axis: &usize| header.labels_of(*axis).is_none() || !is_chosen(&header.axes[*axis].name);
    let left: Vec<usize> = (0..header.axes.len()).filter(is_left).collect();
    let axes: Vec<&str> = left.iter().map(|&axis| &*header.axes[axis].name).collect();
    let ranks: Vec<&str> =
        header.about.lines().filter(|(key, _)| *key == RANKS).map(|(_, value)| value).collect();
    let ranks = (!ranks.is_empty()).then(|| ranks.join(" or "));

    let units = header.axes.iter().map(|axis| (axis.name.clone(), axis.unit.clone())).collect();
    let labelled: Vec<String> =
        header.labels.keys().filter(|name| axes.contains(&name.as_str())).cloned().collect();

    let mut begun: Option<(Option<Basis>, Rows)> = None;
    let mut times_of_group = Vec::new();
    let mut statistics: Vec<(Statistic, f64)> = Vec::new();
    // The position of each label among those of all files.
    let mut labels: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    let mut sizes = Vec::new();
    for group in rows.chunk_by(|one, other| {
        (one.series, one.launch, one.process) == (other.series, other.launch, other.process)
    }) {
        let first = group[0];
        let series = all[first.series as usize];
        if begun.as_ref().is_none_or(|(basis, _)| *basis != series.basis) {
            let section = Section {
                axes: &axes,
                labelled: &labelled,
                units: Some(&units),
                counted: series.basis.map(Counted::Of),
                unit: header.unit,
                ranks: ranks.as_deref(),
                method: MethodOf::Row,
                ..Section::default()
            };
            begun = Some((series.basis, sink.begin(part, section)?));
        }
        let (_, rows) = begun.as_mut()?;
        sizes.clear();
        sizes.extend(left.iter().map(|&axis| series.sizes[axis]));
        let of_labels =
            sizes.iter_mut().enumerate().filter(|(axis, _)| header.labels_of(left[*axis]).is_some());
        for (axis, size) in of_labels {
            *size = match labels.get(&(axis, *size)) {
                Some(position) => *position,
                None => {
                    let position = sink.label(rows, axes[axis], &header.sample(left[axis], *size))?;
                    *labels.entry((axis, *size)).or_insert(position)
                }
            };
        }
        times_of_group.clear();
        statistics.clear();
        for row in group {
            match row.sample {
                Sample::Repeat(_) => times_of_group.push(row.time),
                Sample::Statistic(statistic) => statistics.push((statistic, row.time)),
            }
        }
        let (method, run) = (Some(methods[series.method as usize]), launches[first.launch as usize]);
        let repeats = (!times_of_group.is_empty()).then_some(Measured::Repeats(&times_of_group));
        let statistics = (!statistics.is_empty()).then_some(Measured::Statistics(&statistics));
        for measured in repeats.into_iter().chain(statistics) {
            sink.row(
                rows,
                &FileRow { line: 0, sizes: &sizes, method, run, process: first.process, measured },
            );
        }
    }
    Some(())
}

/// Returns a method with its segment size. Other parameters are parts of its name.
fn measured(method: &canonical::Method, times: &Times) -> Method {
    let mut name = method.name.clone();
    let mut segment_size = None;
    for (parameter, value) in times.header().parameters.iter().zip(&method.values) {
        if parameter.unit.as_deref() == Some(CONSTANT) {
            continue;
        }
        if parameter.name == SEGMENT_SIZE {
            segment_size = value.parse().ok();
        } else if !value.is_empty() {
            name.extend([":", &*parameter.name, "=", &**value]);
        }
    }
    Method { segment_size, ..Method::new(name) }
}
