//! Bootstrap confidence intervals.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The random seed, which makes intervals reproducible.
const SEED: u64 = 1993;

/// The number of samples drawn with replacement.
const SAMPLES: usize = 2000;

impl Interval {
    /// Returns the mean of values with the percentile interval of the bootstrap (Efron and Tibshirani, *An Introduction to the
    /// Bootstrap*, 1993, section 13.3), or `None` if there are no values. The samples are the same in every call.
    pub fn new(values: &[f64]) -> Option<Self> {
        Self::bootstrap(values.len(), |drawn| {
            drawn.iter().map(|&place| values[place]).sum::<f64>() / drawn.len() as f64
        })
    }

    /// Returns a statistic of a number of items with its percentile interval; `statistic` receives the drawn items.
    pub fn bootstrap(items: usize, statistic: impl Fn(&[usize]) -> f64) -> Option<Self> {
        if items == 0 {
            return None;
        }
        let all: Vec<usize> = (0..items).collect();
        let mut chance = Pcg64::seed_from_u64(SEED);
        let mut drawn = vec![0; items];
        let sample = || {
            drawn.fill_with(|| chance.random_range(0..items));
            statistic(&drawn)
        };
        Some(Self::around(statistic(&all), sample))
    }

    fn around(mean: f64, sample: impl FnMut() -> f64) -> Self {
        let mut samples = Vec::with_capacity(SAMPLES);
        samples.resize_with(SAMPLES, sample);
        let cut = SAMPLES / 40;
        let [low, high] =
            [cut, SAMPLES - 1 - cut].map(|at| *samples.select_nth_unstable_by(at, f64::total_cmp).1);
        Self { mean, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For many values, the interval of a mean is the one of the normal distribution.
    #[test]
    fn the_interval_of_many_values_is_the_normal_one() {
        let mut chance = Pcg64::seed_from_u64(7);
        let values: Vec<f64> = (0..400).map(|_| chance.random_range(0.0..1.0)).collect();
        let interval = Interval::new(&values).unwrap();
        let mean = values.iter().sum::<f64>() / 400.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 399.0;
        let half = 1.96 * (variance / 400.0).sqrt();
        assert!((interval.mean - mean).abs() < 1e-12);
        assert!((interval.low - (mean - half)).abs() < 0.1 * half, "{interval:?} {half}");
        assert!((interval.high - (mean + half)).abs() < 0.1 * half, "{interval:?} {half}");
    }

    #[test]
    fn one_value_has_no_width() {
        assert_eq!(Interval::new(&[3.0]), Some(Interval { mean: 3.0, low: 3.0, high: 3.0 }));
        assert_eq!(Interval::new(&[]), None);
    }
}
