//! What may be claimed of decisions: whether they gain over the library's own choice on a launch that they were not made from.

use super::holm::divisors;
use super::launch_gain::LaunchGains;
use super::launch_interval::LEVEL;

/// A claim about the gain of one collective.
///
/// The variants are complete: a gain has an interval, or there is a reason why it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The gain is unknown: there are too few launches to hold one out, or no default to compare with.
    Unknown,
    /// All launches have exactly the same gain, so that they are not independent: copies of one launch, or times without noise.
    Copies {
        /// The gain.
        gain: f64,
        /// The number of launches.
        launches: usize,
    },
    /// Every held-out decision is as fast as the default in every launch: there is nothing to gain.
    Equal {
        /// The number of launches.
        launches: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The gain on a launch that was held out.
    Gain(HeldOutGain),
}

/// A held-out gain with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutGain {
    /// The geometric gain over the default, exp(mean ln(t\[default\] / t\[chosen\])) − 1.
    pub gain: f64,
    /// The lower end of its 95 % interval, corrected for the number of collectives.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The least gain for which the lower end would be above zero with the same noise.
    pub visible: f64,
    /// The number of launches.
    pub launches: usize,
    /// The number of cells.
    pub cells: usize,
}

impl Claim {
    /// Returns the claims of several collectives, one for each. Their levels are corrected by Holm's method, so that the probability
    /// that any collective without a gain has an interval above zero is half of that outside of one interval.
    pub fn of_all(gains: &[&LaunchGains]) -> Vec<Self> {
        let varies = |gains: &&LaunchGains| gains.mean().filter(|mean| mean.error > 0.0);
        let p_values: Vec<f64> =
            gains.iter().map(|gains| varies(gains).map_or(1.0, |mean| mean.p_above(0.0))).collect();
        let divisors = divisors(&p_values, LEVEL / 2.0);
        gains.iter().zip(divisors).map(|(gains, divisor)| Self::of(gains, divisor)).collect()
    }

    fn of(gains: &LaunchGains, divisor: usize) -> Self {
        let (launches, cells) = (gains.launches(), gains.cells());
        if launches > 1 && gains.logs.iter().all(|log| *log == 0.0) {
            return Self::Equal { launches, cells };
        }
        let Some(mean) = gains.mean() else { return Self::Unknown };
        if mean.error <= 0.0 {
            return Self::Copies { gain: mean.mean.exp_m1(), launches };
        }
        let [low, high] = mean.ends(LEVEL / divisor as f64);
        Self::Gain(HeldOutGain {
            gain: mean.mean.exp_m1(),
            low: low.exp_m1(),
            high: high.exp_m1(),
            visible: (mean.mean - low).exp_m1(),
            launches,
            cells,
        })
    }

    /// Returns the held-out gain, if it is known.
    pub fn gain(&self) -> Option<&HeldOutGain> {
        match self {
            Self::Gain(gain) => Some(gain),
            Self::Unknown | Self::Copies { .. } | Self::Equal { .. } => None,
        }
    }

    /// Returns whether the decisions may be recommended: the lower end of the gain is above zero.
    pub fn is_recommended(&self) -> bool {
        self.gain().is_some_and(|gain| gain.low > 0.0)
    }
}
