//! The noise of times, split into what a launch has in common, what a method of a launch has in common, and the rest.

use std::collections::BTreeMap;

use super::launch_times::LaunchTimes;
use super::sample_size::LaunchNoise;
use super::spread::mean;
use super::student::f_tail;
use crate::launches::launches;
use crate::measurements::Measurements;

/// The probability with which methods without noise of their own are said to have it.
const LEVEL: f64 = 0.01;

/// The least deviation of methods that matters.
const LEAST: f64 = 0.005;

impl LaunchNoise {
    /// Returns the noise of measurements, or `None` with fewer than two launches or without a point that all of them have.
    ///
    /// The logarithms of the times of a method at a point are compared with their mean over the launches. The variances are those of a
    /// nested analysis of variance; one that comes out below zero is zero.
    pub fn from_measurements(measurements: &Measurements) -> Option<Self> {
        Some(Variances::new(measurements)?.noise())
    }

    /// Returns the noise that each method of a launch has by itself, if there is one, and if it is greater than that of the mean of a
    /// method's points: then more launches narrow the interval of a gain, and more points hardly do.
    ///
    /// An F test at 1 % shows that there is one. If methods have different points, it is approximate.
    pub fn of_methods(measurements: &Measurements) -> Option<f64> {
        let found = Variances::new(measurements)?;
        let noise = found.noise();
        let is_shown = found.exceeds_cells() < LEVEL;
        (is_shown && noise.method > LEAST && noise.method.powi(2) > found.of_points).then_some(noise.method)
    }
}

/// The variances of the logarithms of times.
struct Variances {
    /// That of a time around the mean of its method and launch, with its degrees of freedom.
    cell: (f64, f64),
    /// That of the mean of a method's points, without other noise.
    of_points: f64,
    /// That of the means of methods.
    of_methods: f64,
    /// That of the means of launches, over all methods.
    of_means: f64,
    methods: f64,
    launches: f64,
}

impl Variances {
    fn new(measurements: &Measurements) -> Option<Self> {
        let every = launches(measurements);
        let launches = every.len() as f64;
        let mut methods: Vec<Deviations> = Vec::new();
        for method in 0..measurements.methods().count() {
            methods.extend(Deviations::new(&LaunchTimes::new(measurements, method), &every));
        }
        if every.len() < 2 || methods.is_empty() {
            return None;
        }
        let mean_of =
            |value: &dyn Fn(&Deviations) -> f64| mean(&methods.iter().map(value).collect::<Vec<_>>());
        let variance =
            |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>() / (launches - 1.0);
        let (squares, degrees) = methods.iter().fold((0.0, 0.0), |(squares, degrees), method| {
            (squares + method.squares, degrees + (method.points - 1.0) * (launches - 1.0))
        });
        let cell = if degrees > 0.0 { squares / degrees } else { 0.0 };
        let means: Vec<f64> =
            (0..every.len()).map(|launch| mean_of(&|method| method.launches[launch])).collect();
        Some(Self {
            cell: (cell, degrees),
            of_points: mean_of(&|method| cell / method.points),
            of_methods: mean_of(&|method| variance(&method.launches)),
            of_means: variance(&means),
            methods: methods.len() as f64,
            launches,
        })
    }

    fn noise(&self) -> LaunchNoise {
        let Self { cell: (cell, _), of_points, of_methods, of_means, methods, .. } = *self;
        // What methods of a launch share is the covariance of their means.
        let launch = if methods > 1.0 {
            (methods * of_means - of_methods) / (methods - 1.0)
        } else {
            of_methods - of_points
        };
        let method = if methods > 1.0 { of_methods - of_points - launch } else { 0.0 };
        LaunchNoise { cell: cell.sqrt(), launch: launch.max(0.0).sqrt(), method: method.max(0.0).sqrt() }
    }

    /// Returns the probability that methods whose points alone have noise differ as much as these.
    fn exceeds_cells(&self) -> f64 {
        let (above, below) = ((self.methods - 1.0) * (self.launches - 1.0), self.cell.1);
        if above < 1.0 || below < 1.0 {
            return 1.0;
        }
        let own = self.methods * (self.of_methods - self.of_means) / (self.methods - 1.0);
        f_tail(own / self.of_points, above, below)
    }
}

/// The deviations of one method from its means over the launches.
struct Deviations {
    /// The mean deviation of each launch.
    launches: Vec<f64>,
    /// The sum of the squares of what remains.
    squares: f64,
    points: f64,
}

impl Deviations {
    /// Returns the deviations at the points that all launches have; `None` if there are none.
    fn new(times: &LaunchTimes, every: &[u16]) -> Option<Self> {
        let complete: Vec<&BTreeMap<u16, f64>> =
            times.points.values().filter(|logs| logs.len() == every.len()).collect();
        let deviations: Vec<Vec<f64>> = complete
            .iter()
            .map(|logs| {
                let mean = logs.values().sum::<f64>() / logs.len() as f64;
                logs.values().map(|log| log - mean).collect()
            })
            .collect();
        if complete.is_empty() {
            return None;
        }
        let number = complete.len() as f64;
        let launches: Vec<f64> = (0..every.len())
            .map(|launch| deviations.iter().map(|point| point[launch]).sum::<f64>() / number)
            .collect();
        let remains = |point: &Vec<f64>| {
            point.iter().zip(&launches).map(|(own, launch)| (own - launch).powi(2)).sum::<f64>()
        };
        let squares = deviations.iter().map(remains).sum();
        Some(Self { launches, squares, points: number })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::measurements::{MeasuredAxis, Repeat};

    /// Uniform numbers with these standard deviations.
    fn measured(noise: LaunchNoise, methods: usize, launches: u16) -> Measurements {
        let mut chance = Pcg64::seed_from_u64(5);
        let mut value = |deviation: f64| {
            let half = deviation * 3.0_f64.sqrt();
            if half > 0.0 { chance.random_range(-half..half) } else { 0.0 }
        };
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
        let numbers: Vec<usize> = (0..methods)
            .map(|number| measurements.method(qtdec_core::Method::new(format!("method{number}"))))
            .collect();
        for launch in 0..launches {
            let run = measurements.run(&launch.to_string());
            let common = value(noise.launch);
            for &method in &numbers {
                let own = common + value(noise.method);
                for point in 0..10 {
                    let time = (own + value(noise.cell) + f64::from(point)).exp();
                    measurements.record(&[1 << point], method, Repeat { time, run, file: 0 });
                }
            }
        }
        measurements
    }

    #[test]
    fn the_noise_is_found_again() {
        for noise in [
            LaunchNoise { cell: 0.1, launch: 0.05, method: 0.0 },
            LaunchNoise { cell: 0.05, launch: 0.1, method: 0.05 },
            LaunchNoise { cell: 0.2, launch: 0.0, method: 0.1 },
        ] {
            let found = LaunchNoise::from_measurements(&measured(noise, 4, 400)).unwrap();
            let near = |found: f64, expected: f64| (found - expected).abs() < 0.015;
            assert!(
                near(found.cell, noise.cell)
                    && near(found.launch, noise.launch)
                    && near(found.method, noise.method),
                "{found:?} {noise:?}"
            );
        }
    }

    #[test]
    fn the_noise_of_methods_is_told_where_it_outweighs_that_of_points() {
        let common = LaunchNoise { cell: 0.1, launch: 0.2, method: 0.0 };
        assert_eq!(LaunchNoise::of_methods(&measured(common, 4, 20)), None);
        let found = LaunchNoise::of_methods(&measured(LaunchNoise { method: 0.1, ..common }, 4, 20)).unwrap();
        assert!((found - 0.1).abs() < 0.03, "{found}");
        // The mean of ten points has a deviation of 0.1 / √10.
        let small = LaunchNoise { method: 0.02, ..common };
        assert_eq!(
            LaunchNoise::of_methods(&measured(small, 4, 400)),
            None,
            "there is one, but points have more"
        );
        assert_eq!(LaunchNoise::of_methods(&measured(LaunchNoise { method: 0.1, ..common }, 1, 20)), None);
    }

    #[test]
    fn one_method_has_no_noise_of_its_own() {
        let noise = LaunchNoise { cell: 0.05, launch: 0.1, method: 0.0 };
        let found = LaunchNoise::from_measurements(&measured(noise, 1, 400)).unwrap();
        assert!((found.launch - 0.1).abs() < 0.01 && found.method == 0.0, "{found:?}");
        assert_eq!(LaunchNoise::from_measurements(&measured(noise, 2, 1)), None);
        assert_eq!(
            LaunchNoise::from_measurements(&Measurements::new(vec![MeasuredAxis::named("msg_size")])),
            None
        );
    }
}
