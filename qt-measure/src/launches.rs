//! The launches of measurements. A launch is the unit of independence: what its repeats have in common is not known from one launch.

use super::measurements::{Measurements, Repeat, Series};

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
    use crate::measurements::{MeasuredAxis, MeasuredMethod, Statistic};

    fn measured(runs: &[u16]) -> Measurements {
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
        let method = measurements.method(MeasuredMethod { name: "ring".to_owned(), segment_size: None });
        for &run in runs {
            measurements.record(&[8], method, Repeat { time: f64::from(run), run, file: 0 });
        }
        measurements
    }

    #[test]
    fn each_launch_is_held_out_once() {
        let found: Vec<(u16, Vec<f64>, Vec<f64>)> = folds(&measured(&[4, 2, 4, 7]))
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
    fn nothing_is_held_out_from_one_launch_or_from_statistics() {
        assert_eq!(folds(&measured(&[3, 3])).count(), 0);
        let mut measurements = measured(&[1, 2]);
        *measurements.series_mut(&[16], 0) = Series::Statistics(vec![(Statistic::Mean, 1.0)]);
        assert_eq!(folds(&measurements).count(), 0);
    }
}
