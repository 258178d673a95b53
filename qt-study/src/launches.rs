//! The launches of measurements. A launch is the unit of independence: what its repeats have in common is not known from one launch.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::listing::in_backticks;
use qtdec_times::{Sample, Times};

use super::measurements::{Measurements, Repeat, Series, Unit};

/// One launch held out from all others.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The number of the launch.
    pub launch: u16,
    /// All other launches.
    pub others: Measurements,
    /// The launch alone.
    pub alone: Measurements,
}

/// Returns the numbers of the launches that have times, in increasing order. Statistics belong to no launch.
pub fn launches(measurements: &Measurements) -> Vec<u16> {
    let repeats = measurements.all_series().flat_map(|(_, _, series)| series.repeats());
    let mut launches: Vec<u16> = repeats.map(|repeat| repeat.run).collect();
    launches.sort_unstable();
    launches.dedup();
    launches
}

/// Returns each launch and the others without it, or nothing if there are fewer than two launches, or statistics without repeats.
pub fn folds(measurements: &Measurements) -> impl Iterator<Item = Fold> {
    let has_statistics =
        measurements.all_series().any(|(_, _, series)| matches!(series, Series::Statistics(_)));
    let launches = if has_statistics { Vec::new() } else { launches(measurements) };
    let folds = if launches.len() < 2 { Vec::new() } else { launches };
    folds.into_iter().map(|launch| Fold {
        launch,
        others: only(measurements, |repeat| repeat.run != launch),
        alone: only(measurements, |repeat| repeat.run == launch),
    })
}

/// The maximum number of launches that are named.
const MOST: usize = 5;

/// Returns a sentence for each launch without any time of methods that more than half of the launches have, such as one that still runs.
///
/// Methods of which `is_kept` is false are left out.
pub(crate) fn incomplete(measurements: &Measurements, is_kept: impl Fn(usize) -> bool) -> Vec<String> {
    let kept = measurements.all_series().filter(|(_, method, _)| is_kept(*method));
    let seen =
        kept.flat_map(|(_, method, series)| series.repeats().iter().map(move |repeat| (method, repeat.run)));
    let seen: BTreeSet<(usize, u16)> = seen.collect();
    let labels: Vec<String> = measurements.labels().collect();
    let runs: Vec<&str> = measurements.runs().collect();
    let seen = seen.into_iter().map(|(method, run)| {
        (labels[method].clone(), runs.get(usize::from(run)).copied().unwrap_or_default())
    });
    lacking(measurements.units(), seen)
}

/// Returns the same of canonical times, with the collectives of the methods.
pub fn incomplete_in(times: &Times) -> Vec<String> {
    let series: Vec<_> = times.series().collect();
    let repeats = times.rows().iter().filter(|row| matches!(row.sample, Sample::Repeat(_)));
    let seen: BTreeSet<(Option<&str>, u32, u32)> = repeats
        .map(|row| {
            let series = series[row.series as usize];
            (series.collective.as_deref(), series.method, row.launch)
        })
        .collect();
    let labels = times.methods().map(|method| {
        let values = method.values.iter().filter(|value| !value.is_empty());
        [&method.name].into_iter().chain(values).cloned().collect::<Vec<_>>().join("/")
    });
    let labels: Vec<String> = labels.collect();
    let launches: Vec<&str> = times.launches().collect();
    let seen = seen.into_iter().map(|(collective, method, launch)| {
        let of = collective.map_or(String::new(), |collective| format!("{collective} "));
        (format!("{of}{}", labels[method as usize]), launches[launch as usize])
    });
    lacking(Unit::Unrecorded, seen)
}

/// Names the methods that each launch or job lacks, of pairs of a method and a launch that has it.
fn lacking<'l>(unit: Unit, seen: impl Iterator<Item = (String, &'l str)>) -> Vec<String> {
    let mut by_method: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (method, launch) in seen {
        by_method.entry(method).or_default().insert(launch);
    }
    let launches: BTreeSet<&str> = by_method.values().flatten().copied().collect();
    let mut found = Vec::new();
    for launch in &launches {
        let is_lacking = |known: &BTreeSet<&str>| 2 * known.len() > launches.len() && !known.contains(launch);
        let lacks = by_method.iter().filter(|(_, known)| is_lacking(known));
        let lacks: Vec<&str> = lacks.map(|(method, _)| method.as_str()).collect();
        if !lacks.is_empty() {
            let lacks = in_backticks(&lacks);
            found.push(format!(
                "{} `{launch}` is not complete: it has no times of {lacks}, which most {} have; it may still run, or have failed",
                unit.word(),
                unit.words()
            ));
        }
    }
    if let Some(more @ 1..) = found.len().checked_sub(MOST) {
        found.truncate(MOST);
        found.push(format!("{more} more {} are not complete", unit.words()));
    }
    found
}

/// Returns the times of the repeats that are to be kept.
pub(crate) fn only(measurements: &Measurements, is_kept: impl Fn(&Repeat) -> bool) -> Measurements {
    let mut part = measurements.without_times();
    for (sizes, method, series) in measurements.all_series() {
        let kept: Vec<Repeat> = series.repeats().iter().copied().filter(|repeat| is_kept(repeat)).collect();
        if !kept.is_empty() {
            *part.series_mut(sizes, method) = Series::Repeats(kept);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::{MeasuredAxis, Statistic, measured};

    fn of_runs(runs: &[u16]) -> Measurements {
        measured(runs.iter().map(|&run| (8, "ring", run, f64::from(run))))
    }

    #[test]
    fn each_launch_is_held_out_once() {
        let found: Vec<(u16, Vec<f64>, Vec<f64>)> = folds(&of_runs(&[4, 2, 4, 7]))
            .map(|fold| {
                let times = |part: &Measurements| part.series(&[8], 0).unwrap().sorted();
                (fold.launch, times(&fold.others), times(&fold.alone))
            })
            .collect();
        let expected = [
            (2, vec![4.0, 4.0, 7.0], vec![2.0]),
            (4, vec![2.0, 7.0], vec![4.0, 4.0]),
            (7, vec![2.0, 4.0, 4.0], vec![7.0]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn launches_are_named_that_lack_what_most_have() {
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
        let methods =
            ["default", "ring", "rare"].map(|name| measurements.method(qtdec_core::Method::new(name)));
        for run in 0..5 {
            let run = measurements.run(&format!("launch-{run}"));
            let has = [true, run < 4, run < 2];
            for (method, _) in methods.iter().zip(has).filter(|(_, has)| *has) {
                measurements.record(&[8], *method, Repeat { time: 1.0, run, file: 0 });
            }
        }
        let said = "launch `launch-4` is not complete: it has no times of `ring`, which most launches have; it may still run, or have failed";
        assert_eq!(incomplete(&measurements, |_| true), [said]);
        assert!(incomplete(&measurements, |method| method != methods[1]).is_empty());
        assert!(incomplete(&of_runs(&[1, 2]), |_| true).is_empty());
    }

    #[test]
    fn nothing_is_held_out_from_one_launch_or_from_statistics() {
        assert_eq!(folds(&of_runs(&[3, 3])).count(), 0);
        let mut measurements = of_runs(&[1, 2]);
        *measurements.series_mut(&[16], 0) = Series::Statistics(vec![(Statistic::Mean, 1.0)]);
        assert_eq!(folds(&measurements).count(), 0);
    }
}
