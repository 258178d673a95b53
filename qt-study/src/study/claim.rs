//! What may be claimed of decisions: whether they gain over the library's own choice on a launch that they were not made from.

use std::fmt;

use super::gain::Gain;
use super::holm::divisors;
use super::launch_gain::LaunchGains;
use super::launch_interval::LEVEL;
use crate::measurements::Unit;

/// A standard error of logarithms below which all launches have the same gain.
const SAME: f64 = 1e-9;

/// A claim about the gain of one collective.
///
/// The variants are complete: a gain has an interval, or there is a reason why none is claimed.
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
    /// The gain is above zero in launches of one job. It is provisional: the luck of a method stays for a job.
    OfOneJob(HeldOutGain),
    /// The gain is above zero, but slow calls take more time than it saves: over all cells, or in some of them.
    SlowCalls {
        /// The gain by the times from which the decisions were made.
        gain: HeldOutGain,
        /// The gain by the mean of the repeats.
        by_mean: f64,
        /// The number of cells in which the mean time is longer than the default's.
        slower: usize,
    },
}

/// A held-out gain with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutGain {
    /// The geometric gain over the default, exp(mean ln(t\[default\] / t\[chosen\])) − 1.
    pub gain: f64,
    /// The lower end of its 95 % interval, for this collective alone.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The ends of its interval among all collectives, by Holm's method: all of these intervals together are of 95 %. What is
    /// recommended depends on them.
    pub of_all: [f64; 2],
    /// The number of collectives.
    pub collectives: usize,
    /// The least gain that would be shown with the same noise.
    pub visible: f64,
    /// The number of launches or jobs.
    pub launches: usize,
    /// What they are.
    pub units: Unit,
    /// The number of cells.
    pub cells: usize,
}

impl HeldOutGain {
    /// Returns whether the gain is shown among all collectives.
    pub fn is_shown(&self) -> bool {
        self.of_all[0] > 0.0
    }

    /// Returns whether the gain would be shown if this collective were the only one, and is not among all.
    pub fn is_shown_alone(&self) -> bool {
        self.low > 0.0 && !self.is_shown()
    }
}

/// The gain in per cent with its interval, that among all collectives if there are several, the cells and the launches.
impl fmt::Display for HeldOutGain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = [self.low, self.high].map(|end| 100.0 * end);
        write!(formatter, "{} (95 %: {low:+.2} to {high:+.2} %", Gain(self.gain))?;
        if self.collectives > 1 {
            let [low, high] = self.of_all.map(|end| 100.0 * end);
            let number = self.collectives;
            write!(formatter, "; 95 % for all {number} collectives together: {low:+.2} to {high:+.2} %")?;
        }
        let cells = if self.cells == 1 { "cell" } else { "cells" };
        write!(formatter, "; {} {cells}, {})", self.cells, self.units.counted(self.launches))
    }
}

impl Claim {
    /// Returns the claims of several collectives, one for each. The levels of what is shown are corrected by Holm's method, so that the
    /// probability that any collective without a gain is recommended is half of that outside of one interval.
    pub fn of_all(gains: &[&LaunchGains]) -> Vec<Self> {
        let varies = |gains: &&LaunchGains| gains.mean().filter(|mean| mean.error >= SAME);
        let p_values: Vec<f64> =
            gains.iter().map(|gains| varies(gains).map_or(1.0, |mean| mean.p_above(0.0))).collect();
        let divisors = divisors(&p_values, LEVEL / 2.0);
        gains.iter().zip(divisors).map(|(own, divisor)| Self::new(own, divisor, gains.len())).collect()
    }

    fn new(gains: &LaunchGains, divisor: usize, collectives: usize) -> Self {
        let (launches, cells) = (gains.logs.len(), gains.points.len());
        if launches > 1 && gains.logs.iter().all(|log| *log == 0.0) {
            return Self::Equal { launches, cells };
        }
        let Some(mean) = gains.mean() else { return Self::Unknown };
        // Times are written with few digits, so gains that are the same differ in the last bits.
        if mean.error < SAME {
            return Self::Copies { gain: mean.mean.exp_m1(), launches };
        }
        let [low, high] = mean.ends(LEVEL).map(f64::exp_m1);
        let of_all = mean.ends(LEVEL / divisor as f64);
        let gain = HeldOutGain {
            gain: mean.mean.exp_m1(),
            low,
            high,
            of_all: of_all.map(f64::exp_m1),
            collectives,
            visible: (mean.mean - of_all[0]).exp_m1(),
            launches,
            units: gains.units,
            cells,
        };
        let slower = gains.means.slower(&gains.points).len();
        match gains.means.mean() {
            Some(by_mean) if gain.is_shown() && (by_mean < 0.0 || slower > 0) => {
                Self::SlowCalls { gain, by_mean: by_mean.exp_m1(), slower }
            }
            _ if gain.is_shown() && gains.units == Unit::WithinJob => Self::OfOneJob(gain),
            _ => Self::Gain(gain),
        }
    }

    /// Returns the held-out gain, if it is known, no slow calls outweigh it, and it is not that of one job.
    pub fn gain(&self) -> Option<&HeldOutGain> {
        if let Self::Gain(gain) = self { Some(gain) } else { None }
    }

    /// Returns whether the rules of the decisions are written: the gain is above zero, in several jobs or in one, or unknown.
    pub fn is_written(&self) -> bool {
        self.is_recommended() || matches!(self, Self::Unknown | Self::Copies { .. } | Self::OfOneJob(_))
    }

    /// Returns whether the decisions may be recommended: the gain is shown among all collectives.
    pub fn is_recommended(&self) -> bool {
        self.gain().is_some_and(HeldOutGain::is_shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::mean_times::MeanTimes;

    fn gains(logs: &[f64]) -> LaunchGains {
        let points = [(vec![8], logs.to_vec())];
        LaunchGains { logs: logs.to_vec(), points: points.into(), ..LaunchGains::default() }
    }

    #[test]
    fn the_interval_among_all_collectives_is_named_so() {
        let gain = |collectives: usize| HeldOutGain {
            gain: 0.1,
            low: 0.02,
            high: 0.19,
            of_all: [-0.03, 0.25],
            collectives,
            visible: 0.14,
            launches: 5,
            units: Unit::Job,
            cells: 9,
        };
        assert_eq!(gain(1).to_string(), "+10.00 % (95 %: +2.00 to +19.00 %; 9 cells, 5 jobs)");
        assert_eq!(
            gain(3).to_string(),
            "+10.00 % (95 %: +2.00 to +19.00 %; 95 % for all 3 collectives together: -3.00 to +25.00 %; 9 cells, 5 jobs)"
        );
    }

    #[test]
    fn only_a_gain_whose_lower_end_is_above_zero_is_recommended() {
        let [sure, unsure, worse] = [[0.30, 0.31, 0.29], [0.9, 0.1, 0.0], [-0.2, -0.21, -0.19]];
        let all = [gains(&sure), gains(&unsure), gains(&worse)];
        let claims = Claim::of_all(&all.iter().collect::<Vec<_>>());
        let recommended: Vec<bool> = claims.iter().map(Claim::is_recommended).collect();
        assert_eq!(recommended, [true, false, false]);
        let gain = claims[0].gain().unwrap();
        // 0.3 ± t · 0.01 · sqrt(1/3 + 1/2), with the quantiles of scipy.stats.t for two degrees: at 1 − 0.025 for this collective alone,
        // and at 1 − 0.025 / 3 among three.
        let is_near = |ends: [f64; 2], quantile: f64| {
            let half = quantile * 0.01 * (5.0_f64 / 6.0).sqrt();
            let expected = [0.3 - half, 0.3 + half];
            ends.iter().zip(expected).all(|(end, expected)| (end.ln_1p() - expected).abs() < 1e-6)
        };
        assert!(is_near([gain.low, gain.high], 4.302_653) && is_near(gain.of_all, 7.648_871), "{gain:?}");
        assert_eq!((gain.collectives, gain.launches, gain.cells), (3, 3, 1));
    }

    #[test]
    fn a_gain_that_cannot_be_known_is_written_and_not_recommended() {
        let all = [gains(&[0.5]), gains(&[0.5, 0.5]), gains(&[0.0, 0.0]), gains(&[])];
        let claims = Claim::of_all(&all.iter().collect::<Vec<_>>());
        assert!(matches!(
            claims[..],
            [
                Claim::Unknown,
                Claim::Copies { launches: 2, .. },
                Claim::Equal { launches: 2, cells: 1 },
                Claim::Unknown
            ]
        ));
        assert_eq!(claims.iter().map(Claim::is_written).collect::<Vec<_>>(), [true, true, false, true]);
        assert!(!claims.iter().any(Claim::is_recommended));
    }

    /// The same gain is recommended if it stands on several jobs, and provisional in one.
    #[test]
    fn a_gain_in_one_job_is_written_and_not_recommended() {
        let of = |units: Unit, logs: &[f64]| Claim::of_all(&[&LaunchGains { units, ..gains(logs) }])[0];
        let (sure, unsure) = ([0.30, 0.31, 0.29], [0.9, 0.1, 0.0]);
        assert!(of(Unit::Job, &sure).is_recommended());
        let provisional = of(Unit::WithinJob, &sure);
        assert!(matches!(provisional, Claim::OfOneJob(gain) if gain.low > 0.0 && gain.launches == 3));
        assert!(!provisional.is_recommended() && provisional.is_written() && provisional.gain().is_none());
        assert!(!of(Unit::WithinJob, &unsure).is_written());
    }

    /// Slow calls do not change the logarithms of the medians. Means that vary too much to be worse than the default's in any one cell
    /// do not refuse a gain that they have over all cells.
    #[test]
    fn a_gain_that_slow_calls_outweigh_is_not_recommended() {
        let of = |cells: [[f64; 3]; 2]| {
            let means = (1..).zip(cells).map(|(size, logs)| (vec![size], logs.to_vec()));
            let points = [1, 2].map(|size| (vec![size], vec![0.30, 0.31, 0.29]));
            let gains = LaunchGains {
                points: points.into(),
                means: MeanTimes(means.collect()),
                ..gains(&[0.30, 0.31, 0.29])
            };
            Claim::of_all(&[&gains])[0]
        };
        let [quick, slow] = [[0.30, 0.32, 0.28], [-0.70, -0.72, -0.68]];
        assert!(of([quick, quick]).is_recommended());
        let everywhere = of([slow, slow]);
        assert!(matches!(everywhere, Claim::SlowCalls { slower: 2, .. }), "{everywhere:?}");
        assert!(!everywhere.is_written() && everywhere.gain().is_none());
        let in_one = of([[0.90, 0.92, 0.88], slow]);
        assert!(matches!(in_one, Claim::SlowCalls { by_mean, slower: 1, .. } if by_mean > 0.0), "{in_one:?}");
        let varying = [-0.9, 0.7, -0.1];
        assert!(of([quick, varying]).is_recommended());
        assert!(matches!(of([varying, varying]), Claim::SlowCalls { slower: 0, .. }));
    }

    /// Alone, the interval of this gain is above zero; among eight collectives, noise would often look as good.
    #[test]
    fn many_collectives_need_clearer_gains() {
        let all: Vec<LaunchGains> = (0..8).map(|_| gains(&[0.1, 0.12, 0.09])).collect();
        assert!(Claim::of_all(&[&all[0]])[0].is_recommended());
        let all: Vec<&LaunchGains> = all.iter().collect();
        for claim in Claim::of_all(&all) {
            let gain = claim.gain().unwrap();
            assert!(!claim.is_recommended() && !claim.is_written(), "{gain:?}");
            assert!(gain.is_shown_alone() && gain.low > 0.0 && gain.of_all[0] < 0.0, "{gain:?}");
        }
    }
}
