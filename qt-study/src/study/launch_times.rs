//! The times of launches at points, as one logarithm for each launch and point.

use std::collections::{BTreeMap, BTreeSet};

use crate::measurements::{Measurements, Series, Statistic};

/// The logarithm of the time of each launch at each point. A launch has one time at a point, the median of its repeats: these are not
/// independent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchTimes {
    pub(super) points: BTreeMap<Vec<u64>, BTreeMap<u16, f64>>,
}

impl LaunchTimes {
    /// Returns the times of the method with this number.
    pub fn new(measurements: &Measurements, method: usize) -> Self {
        let mut times = Self::default();
        for (sizes, number, series) in measurements.all_series() {
            if number != method {
                continue;
            }
            for (launch, median) in medians(series) {
                times.add(sizes, launch, median);
            }
        }
        times
    }

    /// Adds the time of a launch at a point.
    pub fn add(&mut self, sizes: &[u64], launch: u16, time: f64) {
        self.points.entry(sizes.to_vec()).or_default().insert(launch, time.ln());
    }

    /// Returns the points.
    pub fn points(&self) -> impl Iterator<Item = &[u64]> {
        self.points.keys().map(Vec::as_slice)
    }

    /// Returns the times of all launches at a point, in increasing order.
    pub fn at(&self, sizes: &[u64]) -> Vec<f64> {
        let mut times: Vec<f64> =
            self.points.get(sizes).into_iter().flat_map(BTreeMap::values).map(|log| log.exp()).collect();
        times.sort_unstable_by(f64::total_cmp);
        times
    }

    /// Returns the mean logarithm of each launch over these points, in the order of the launches.
    ///
    /// A launch that lacks points is compared at its own points with all launches, so that it does not look fast or slow for the sizes
    /// that it lacks.
    pub fn means(&self, points: &BTreeSet<Vec<u64>>) -> Vec<f64> {
        let own = points.iter().filter_map(|sizes| self.points.get(sizes));
        let mean = |values: &BTreeMap<u16, f64>| values.values().sum::<f64>() / values.len() as f64;
        let (mut sum, mut number) = (0.0, 0_u32);
        let mut differences: BTreeMap<u16, (f64, u32)> = BTreeMap::new();
        for launches in own {
            let centre = mean(launches);
            sum += centre;
            number += 1;
            for (launch, log) in launches {
                let (difference, points) = differences.entry(*launch).or_default();
                *difference += log - centre;
                *points += 1;
            }
        }
        differences
            .into_values()
            .map(|(difference, points)| sum / f64::from(number) + difference / f64::from(points))
            .collect()
    }

    /// Returns the same times under other numbers of launches, without the launches that have none.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(u16) -> Option<u16>) -> Self {
        self.mapped(|_, launch, log| Some((number(launch)?, log)))
    }

    /// Returns the logarithm of these times over those, for each launch and point that both have.
    #[must_use]
    pub fn over(&self, those: &Self) -> Self {
        self.mapped(|sizes, launch, log| Some((launch, log - those.points.get(sizes)?.get(&launch)?)))
    }

    fn mapped(&self, map: impl Fn(&[u64], u16, f64) -> Option<(u16, f64)>) -> Self {
        let mut mapped = Self::default();
        for (sizes, launches) in &self.points {
            let own: BTreeMap<u16, f64> =
                launches.iter().filter_map(|(launch, log)| map(sizes, *launch, *log)).collect();
            if !own.is_empty() {
                mapped.points.insert(sizes.clone(), own);
            }
        }
        mapped
    }
}

/// Returns the median of each launch's repeats.
pub(super) fn medians(series: &Series) -> BTreeMap<u16, f64> {
    let mut launches: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
    for repeat in series.repeats() {
        launches.entry(repeat.run).or_default().push(repeat.time);
    }
    let medians =
        launches.into_iter().filter_map(|(launch, repeats)| Some((launch, Statistic::Median.of(repeats)?)));
    medians.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::measured;

    #[test]
    fn a_launch_has_one_time_at_a_point() {
        let times = [(9.0, 0), (2.0, 0), (3.0, 0), (8.0, 1)].map(|(time, run)| (8, "ring", run, time));
        let found = LaunchTimes::new(&measured(times), 0).at(&[8]);
        assert!(
            (found[0] - 3.0).abs() < 1e-12 && (found[1] - 8.0).abs() < 1e-12 && found.len() == 2,
            "{found:?}"
        );
    }

    /// The second launch has only the slow point, and is as fast as the first one there.
    #[test]
    fn a_launch_that_lacks_points_is_not_slow() {
        let mut times = LaunchTimes::default();
        for (size, launch, time) in [(1, 0, 1.0), (2, 0, 100.0), (2, 1, 100.0)] {
            times.add(&[size], launch, time);
        }
        let points = times.points().map(<[u64]>::to_vec).collect();
        let means = times.means(&points);
        assert!(means.iter().all(|mean| (mean - 10.0_f64.ln()).abs() < 1e-12), "{means:?}");
        assert!(times.over(&times).means(&points).iter().all(|mean| *mean == 0.0));
    }
}
