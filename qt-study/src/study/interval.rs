//! Bootstrap confidence intervals.

use rand::{Rng, RngExt, SeedableRng};
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

/// The number of items drawn in all samples together, beyond which there are fewer samples, and the least number of samples.
const DRAWN: usize = 200_000;
const FEWEST: usize = 500;

impl Interval {
    /// Returns the mean of values with the percentile interval of the bootstrap (Efron and Tibshirani, *An Introduction to the
    /// Bootstrap*, 1993, section 13.3), or `None` if there are no values. The samples are the same in every call.
    pub fn new(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let count = values.len();
        let mut chance = Pcg64::seed_from_u64(SEED);
        let mut drawn = vec![0; count];
        Some(Self::around(values.iter().sum::<f64>() / count as f64, SAMPLES, || {
            drawn.fill_with(|| chance.random_range(0..count));
            drawn.iter().map(|&place: &usize| values[place]).sum::<f64>() / count as f64
        }))
    }

    /// Returns a ratio of two sums over items, each given by its parts, with its percentile interval. The samples are the same in every
    /// call, and fewer of more than a hundred items.
    pub fn of_ratio(items: &[(f64, f64)]) -> Option<Self> {
        if items.is_empty() {
            return None;
        }
        let ratio = |(numerator, denominator): (f64, f64)| numerator / denominator;
        let mut chance = Pcg64::seed_from_u64(SEED);
        let samples = (DRAWN / items.len()).clamp(FEWEST, SAMPLES);
        let mean = ratio(items.iter().fold((0.0, 0.0), sum));
        Some(Self::around(mean, samples, || ratio(drawn(items, &mut chance))))
    }

    /// Returns the interval in another unit, which increases with this one.
    #[must_use]
    pub fn in_unit(self, unit: impl Fn(f64) -> f64) -> Self {
        Self { mean: unit(self.mean), low: unit(self.low), high: unit(self.high) }
    }

    fn around(mean: f64, count: usize, sample: impl FnMut() -> f64) -> Self {
        let mut samples = Vec::with_capacity(count);
        samples.resize_with(count, sample);
        let cut = count / 40;
        let [low, high] =
            [cut, count - 1 - cut].map(|at| *samples.select_nth_unstable_by(at, f64::total_cmp).1);
        Self { mean, low, high }
    }
}

fn sum((one, other): (f64, f64), item: &(f64, f64)) -> (f64, f64) {
    (one + item.0, other + item.1)
}

/// Returns the sums over as many items as there are, drawn at random. Each half of a random number gives an item, as its share of 2^32.
fn drawn(items: &[(f64, f64)], chance: &mut Pcg64) -> (f64, f64) {
    let item = |half: u64| &items[((half * items.len() as u64) >> 32) as usize];
    let mut drawn = (0.0, 0.0);
    for pair in 0..items.len().div_ceil(2) {
        let bits = chance.next_u64();
        drawn = sum(drawn, item(bits >> 32));
        if 2 * pair + 1 < items.len() {
            drawn = sum(drawn, item(bits & 0xFFFF_FFFF));
        }
    }
    drawn
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

    /// A ratio of sums whose denominators are alike is a mean.
    #[test]
    fn the_interval_of_a_ratio_is_that_of_a_mean() {
        let mut chance = Pcg64::seed_from_u64(8);
        for count in [1, 2, 7, 100] {
            let values: Vec<f64> = (0..count).map(|_| chance.random_range(0.0..1.0)).collect();
            let items: Vec<(f64, f64)> = values.iter().map(|value| (2.0 * value, 2.0)).collect();
            let (mean, ratio) = (Interval::new(&values).unwrap(), Interval::of_ratio(&items));
            let ratio = ratio.unwrap();
            let near = 0.15 * (mean.high - mean.low);
            assert!((mean.mean - ratio.mean).abs() < 1e-12);
            assert!(
                (mean.low - ratio.low).abs() <= near && (mean.high - ratio.high).abs() <= near,
                "{count}: {mean:?} {ratio:?}"
            );
        }
        assert_eq!(Interval::of_ratio(&[]), None);
    }

    #[test]
    fn one_value_has_no_width() {
        assert_eq!(Interval::new(&[3.0]), Some(Interval { mean: 3.0, low: 3.0, high: 3.0 }));
        assert_eq!(Interval::new(&[]), None);
    }
}
