//! Intervals of means over launches, by Student's t: a launch is the unit of independence, however many repeats it has.

use super::spread::mean;
use super::student::{exceeded_with, tail};

/// The probability outside of an interval, at both ends together.
pub const LEVEL: f64 = 0.05;

/// A mean over launches, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchMean {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub degrees: f64,
}

impl LaunchMean {
    /// Returns the mean of independent values, one for each launch, or `None` for fewer than two launches.
    pub fn new(values: &[f64]) -> Option<Self> {
        Self::with_variance_factor(values, 1.0 / values.len() as f64)
    }

    /// Returns the mean of values of which each was held out from what the other launches decide.
    ///
    /// Any two decisions share all but two launches, so the values are not independent. The variance is multiplied by 1/K + 1/(K − 1)
    /// instead of 1/K (Nadeau and Bengio, *Machine Learning* 52, 2003, with a test part of one launch).
    pub fn from_held_out(values: &[f64]) -> Option<Self> {
        let launches = values.len() as f64;
        Self::with_variance_factor(values, 1.0 / launches + 1.0 / (launches - 1.0))
    }

    fn with_variance_factor(values: &[f64], factor: f64) -> Option<Self> {
        let (mean, variance) = moments(values)?;
        Some(Self { mean, error: (variance * factor).sqrt(), degrees: values.len() as f64 - 1.0 })
    }

    /// Returns the difference of the means of independent launches, these minus those: by Welch (*Biometrika* 34, 1947), whose sides
    /// may vary differently, or by Student, whose sides vary alike, whichever has the wider interval. With three launches, the variance
    /// of a side is often small by chance, and Welch's interval is then too narrow.
    pub fn from_difference(these: &[f64], those: &[f64]) -> Option<Self> {
        let (own_mean, own) = moments(these)?;
        let (other_mean, other) = moments(those)?;
        let (mean, [n, m]) = (own_mean - other_mean, [these, those].map(|values| values.len() as f64));
        let of = |variance: f64, degrees: f64| Self { mean, error: variance.sqrt(), degrees };
        let sum = own / n + other / m;
        let welch = of(sum, sum * sum / ((own / n).powi(2) / (n - 1.0) + (other / m).powi(2) / (m - 1.0)));
        let pooled = (own * (n - 1.0) + other * (m - 1.0)) / (n + m - 2.0);
        let student = of(pooled * (1.0 / n + 1.0 / m), n + m - 2.0);
        // Without any variance, Welch's degrees are not a number.
        Some(if welch.half(LEVEL) > student.half(LEVEL) { welch } else { student })
    }

    /// Returns the mean of held-out values with their variance shrunk towards another one, to these degrees of freedom together, but not
    /// below the own one.
    pub(super) fn shrunk(self, variance: f64, degrees: f64) -> Self {
        let factor = 1.0 / (self.degrees + 1.0) + 1.0 / self.degrees;
        let own = self.error.powi(2);
        let part = self.degrees / degrees;
        let shrunk = part * own + (1.0 - part) * variance * factor;
        Self { error: shrunk.max(own).sqrt(), degrees, ..self }
    }

    /// Returns the sum of independent means, with the degrees of freedom of Satterthwaite (*Biometrics Bulletin* 2, 1946).
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let [own, others] = [self, other].map(|mean| mean.error.powi(2));
        let sum = own + others;
        let degrees = sum * sum / (own * own / self.degrees + others * others / other.degrees);
        let least = self.degrees.min(other.degrees);
        // Without any variance, these degrees are not a number.
        let degrees = if degrees.is_finite() { degrees } else { least };
        Self { mean: self.mean + other.mean, error: sum.sqrt(), degrees }
    }

    /// Returns the ends of the interval that leaves out a probability, half of it on each side.
    pub fn ends(&self, level: f64) -> [f64; 2] {
        let half = self.half(level);
        [self.mean - half, self.mean + half]
    }

    /// Returns the ends of the interval that contains the mean of a second campaign of this many launches, with the probability
    /// 1 − [`LEVEL`]. This is the mean of `own` launches, each held out from what the others decide.
    ///
    /// The variance of the difference of two means is that of a value × (1/K₁ + 1/K₂). As for [`from_held_out`](Self::from_held_out),
    /// 1/(K₁ − 1) is added for what the decisions share.
    pub fn again(&self, own: usize, launches: usize) -> Option<[f64; 2]> {
        let [own, launches] = [own, launches].map(|number| number as f64);
        let factor = 1.0 / own + 1.0 / (own - 1.0);
        let error = self.error * ((factor + 1.0 / launches) / factor).sqrt();
        (launches > 0.0).then(|| Self { error, ..*self }.ends(LEVEL))
    }

    fn half(&self, level: f64) -> f64 {
        if self.error.is_nan() || self.error <= 0.0 {
            return 0.0;
        }
        self.error * exceeded_with(level / 2.0, self.degrees)
    }

    /// Returns the probability of a mean as great as this one or greater, if the true one is `value`.
    pub fn p_above(&self, value: f64) -> f64 {
        if self.error <= 0.0 {
            return if self.mean > value { 0.0 } else { 1.0 };
        }
        tail((self.mean - value) / self.error, self.degrees)
    }
}

fn moments(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, squares / (values.len() as f64 - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: [f64; 2], expected: [f64; 2]) {
        let are_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(are_near, "{found:?} {expected:?}");
    }

    /// The interval of `scipy.stats.t.interval(0.95, 4, 3, sqrt(2.5 / 5))`, and with the greater variance.
    #[test]
    fn the_interval_of_a_mean_is_students() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        near(LaunchMean::new(&values).unwrap().ends(LEVEL), [1.036_756_838, 4.963_243_162]);
        let held_out = LaunchMean::from_held_out(&values).unwrap();
        let half = 2.776_445_105 * (2.5_f64 * (0.2 + 0.25)).sqrt();
        near(held_out.ends(LEVEL), [3.0 - half, 3.0 + half]);
    }

    /// Computed by hand: variances 1 and 4 of three launches each, so that Welch's degrees are (5/3)² / (1/18 + 16/18).
    #[test]
    fn the_interval_of_a_difference_is_welchs() {
        let difference = LaunchMean::from_difference(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]).unwrap();
        assert!(
            (difference.mean + 2.0).abs() < 1e-12 && (difference.error.powi(2) - 5.0 / 3.0).abs() < 1e-12
        );
        assert!((difference.degrees - 25.0 / 9.0 * 18.0 / 17.0).abs() < 1e-12);
    }

    /// The side of two launches varies by a hundredth of the other one, so that Welch's interval is the narrower one.
    #[test]
    fn a_side_that_varies_little_by_chance_does_not_narrow_the_interval() {
        let many: Vec<f64> = (0..10).map(f64::from).collect();
        let difference = LaunchMean::from_difference(&[1.0, 1.1], &many).unwrap();
        assert_eq!(difference.degrees, 10.0);
        let variance = (0.005 + 82.5) / 10.0 * (1.0 / 2.0 + 1.0 / 10.0);
        assert!((difference.error.powi(2) - variance).abs() < 1e-9, "{difference:?}");
    }

    /// Computed by hand: variances 1/3 and 4/3 with two degrees each, so that the sum has (5/3)² / (1/18 + 16/18).
    #[test]
    fn the_interval_of_a_sum_has_the_errors_of_both() {
        let [one, other] = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]].map(|values| LaunchMean::new(&values).unwrap());
        let sum = one.plus(&other);
        assert!((sum.mean - 6.0).abs() < 1e-12 && (sum.error.powi(2) - 5.0 / 3.0).abs() < 1e-12);
        assert!((sum.degrees - 25.0 / 9.0 * 18.0 / 17.0).abs() < 1e-12);
        let same = LaunchMean::new(&[1.0, 1.0]).unwrap();
        assert_eq!(same.plus(&same), LaunchMean { mean: 2.0, error: 0.0, degrees: 1.0 });
    }

    /// 3 ± t(0.975; 4) · sqrt(2.5 · (1/5 + 1/4 + 1/3)).
    #[test]
    fn a_second_campaign_varies_too() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let half = 2.776_445_105 * (2.5_f64 * (0.2 + 0.25 + 1.0 / 3.0)).sqrt();
        let mean = LaunchMean::from_held_out(&values).unwrap();
        near(mean.again(5, 3).unwrap(), [3.0 - half, 3.0 + half]);
        assert_eq!(mean.again(5, 0), None);
    }

    #[test]
    fn one_launch_has_no_interval() {
        assert_eq!(LaunchMean::new(&[1.0]), None);
        assert_eq!(LaunchMean::from_held_out(&[]), None);
        assert_eq!(LaunchMean::from_difference(&[1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn launches_that_do_not_vary_have_an_interval_without_width() {
        let difference = LaunchMean::from_difference(&[2.0, 2.0], &[1.0, 1.0]).unwrap();
        assert_eq!(
            (difference.ends(LEVEL), difference.p_above(0.5), difference.p_above(1.0)),
            ([1.0; 2], 0.0, 1.0)
        );
        assert_eq!(LaunchMean::from_held_out(&[0.5; 3]).unwrap().ends(LEVEL), [0.5; 2]);
    }
}
