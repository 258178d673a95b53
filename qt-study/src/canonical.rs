//! Canonical times, and measurements as such.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use indexmap::IndexSet;
use qtdec_core::{Place, Problem, Problems};
pub use qtdec_times::{
    About, Builder, FORMAT, Header, Job, Jobs, LIBRARY, MACHINE, Method, Named, RANKS, RawHeader, Row,
    SEGMENT_SIZE, SKEW, Sample, Series, Times, is_canonical, read,
};

use crate::measurements::{self, MeasuredAxis, Measurements, Repeat};

/// Returns the times of measurements, each of one collective. The methods of each collective and the launches are in the order in
/// which they were first seen, and the repeats of a launch are numbered from 1 on.
///
/// # Errors
///
/// Fails if their axes differ, or the unit of only some is known, and for names that a file cannot hold.
pub fn from_measurements(all: &[Measurements]) -> Result<Times, Problems> {
    let mut builder = Builder::new(header(all)?)?;
    let mut numbers = Vec::new();
    for measurements in all {
        let used: BTreeSet<usize> = measurements.all_series().map(|(_, method, _)| method).collect();
        let mut methods = vec![0; measurements.methods().count()];
        for (at, measured) in measurements.methods().enumerate().filter(|(at, _)| used.contains(at)) {
            let method = method(measured, measurements, builder.header());
            methods[at] = builder.method(method)?;
            builder.order(measurements.collective.as_deref(), methods[at]);
        }
        let launches = measurements.runs().map(|run| builder.launch(run));
        numbers.push((methods, launches.collect::<Result<Vec<u32>, Problem>>()?));
        builder.jobs.merge(&measurements.jobs)?;
    }
    // Statistics belong to the launch without a name.
    let unnamed = builder.launch("")?;
    builder.keep_order();
    for (measurements, (methods, launches)) in all.iter().zip(&numbers) {
        let scale = match (measurements.unit, builder.header().unit) {
            (Some(unit), Some(ours)) => unit.in_units_of(ours),
            _ => 1.0,
        };
        let basis = measurements.axes().iter().find_map(|axis| axis.basis);
        for (sizes, method, times) in measurements.all_series() {
            let series = builder.series(Series {
                collective: measurements.collective.clone(),
                basis,
                sizes: self::sizes(measurements, sizes, builder.header()),
                method: methods[method],
            })?;
            match times {
                measurements::Series::Repeats(repeats) => {
                    for (number, process, repeat) in numbered(repeats) {
                        let launch = launches[usize::from(repeat.run)];
                        let (time, sample) = (repeat.time * scale, Sample::Repeat(number));
                        builder.row(Row { time, series, launch, process, sample })?;
                    }
                }
                measurements::Series::Statistics(given) => {
                    for &(statistic, time) in given {
                        let (time, sample) = (time * scale, Sample::Statistic(statistic));
                        builder.row(Row { time, series, launch: unnamed, process: 0, sample })?;
                    }
                }
            }
        }
    }
    builder.finish()
}

/// Returns each repeat with its number in its launch and program, and the number of the program. Where a launch has one program, it
/// has no number.
fn numbered(repeats: &[Repeat]) -> impl Iterator<Item = (u32, u32, &Repeat)> {
    // The repeats of a program follow each other in most files.
    let groups = || repeats.chunk_by(|one, other| (one.run, one.file) == (other.run, other.file));
    let mut files: HashMap<u16, IndexSet<u32>> = HashMap::new();
    for group in groups() {
        files.entry(group[0].run).or_default().insert(group[0].file);
    }
    let mut counts: HashMap<(u16, u32), u32> = HashMap::new();
    groups().flat_map(move |group| {
        let Repeat { run, file, .. } = group[0];
        let position = files[&run].get_index_of(&file).filter(|_| files[&run].len() > 1);
        let process = position.map_or(0, |position| position as u32 + 1);
        let count = counts.entry((run, file)).or_default();
        let first = *count + 1;
        *count += group.len() as u32;
        (first..).zip(group).map(move |(number, repeat)| (number, process, repeat))
    })
}

/// Returns the labels of all measurements, each once.
fn labels(all: &[Measurements]) -> BTreeMap<String, Vec<String>> {
    let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for axis in all.iter().flat_map(Measurements::axes) {
        let Some(own) = &axis.labels else { continue };
        let known = labels.entry(axis.name.clone()).or_default();
        known.extend(own.iter().filter(|label| !known.contains(label)).cloned().collect::<Vec<_>>());
    }
    labels
}

/// Returns the sizes of measurements as those of canonical times, in which labels can have other positions.
fn sizes(measurements: &Measurements, sizes: &[u64], header: &Header) -> Vec<u64> {
    let position = |axis: &MeasuredAxis, size: u64| {
        let label = axis.labels.as_ref()?.get(size as usize)?;
        header.labels.get(&axis.name)?.iter().position(|known| known == label)
    };
    let axes = measurements.axes().iter().zip(sizes);
    axes.map(|(axis, &size)| position(axis, size).map_or(size, |position| position as u64)).collect()
}

/// The unit of parameters that are constants of methods, and no part of their names.
pub(crate) const CONSTANT: &str = "constant";

fn method(measured: &qtdec_core::Method, measurements: &Measurements, header: &Header) -> Method {
    let constants = measurements.constants_of(&measured.label());
    let constant = |name: &str| constants.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let value = |parameter: &Named| match parameter.unit.as_deref() {
        Some(CONSTANT) => constant(&parameter.name),
        _ => measured.segment_size,
    };
    let text = |parameter: &Named| value(parameter).map(|value| value.to_string()).unwrap_or_default();
    Method { name: measured.name.clone(), values: header.parameters.iter().map(text).collect() }
}

fn header(all: &[Measurements]) -> Result<Header, Problems> {
    let fault = |message: &str, help: &str| Problem::new(Place::File, message).help(help);
    let kind = |axis: &MeasuredAxis| (axis.name.clone(), axis.labels.is_some());
    let kinds: BTreeSet<Vec<(String, bool)>> =
        all.iter().map(|one| one.axes().iter().map(kind).collect()).collect();
    if kinds.len() > 1 {
        let message = "the collectives have different axes, and cannot be in one file";
        return Err(fault(message, "read them one by one with --collective").into());
    }
    if all.iter().any(|one| one.unit.is_some()) && all.iter().any(|one| one.unit.is_none()) {
        let message = "the unit of the times is known for some collectives and unknown for others";
        return Err(fault(message, "specify it with --time-unit").into());
    }
    let mut about = About::default();
    for measurements in all {
        about.merge(&measurements.about)?;
        for ranks in measurements.ranks.iter().flat_map(|ranks| ranks.split(" or ")) {
            about.add(RANKS, ranks)?;
        }
    }
    let has_segments = all.iter().any(|one| one.methods().any(|method| method.segment_size.is_some()));
    let segment_size = Named { name: SEGMENT_SIZE.to_owned(), unit: Some("bytes".to_owned()) };
    let constants: BTreeSet<&str> = all.iter().flat_map(Measurements::constants).collect();
    let constants =
        constants.into_iter().map(|name| Named { name: name.to_owned(), unit: Some(CONSTANT.to_owned()) });
    let axes = all.first().map(Measurements::axes).unwrap_or_default().iter();
    Ok(Header {
        about,
        labels: labels(all),
        axes: axes.map(|axis| Named { name: axis.name.clone(), unit: axis.unit.clone() }).collect(),
        parameters: has_segments.then_some(segment_size).into_iter().chain(constants).collect(),
        unit: all.first().and_then(|one| one.unit),
    })
}
