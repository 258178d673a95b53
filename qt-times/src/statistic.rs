//! Statistics of repeated times.

use std::fmt;

use qtdec_core::median;

/// A statistic of the times of a method at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Statistic {
    /// The median: the middle value, or the mean of the middle two.
    #[default]
    Median,
    /// The arithmetic mean.
    Mean,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The geometric mean, which lies between the median and the mean if repeats are bimodal.
    GeometricMean,
    /// The mean without the fastest and the slowest tenth, each rounded down.
    Trimmed,
    /// The quantile in thousandths, interpolated linearly (type 7 of Hyndman and Fan, 1996).
    Quantile(u16),
}

impl Statistic {
    /// Parses `median`, `mean`, `geomean`, `trimmed`, `min`, `max`, or a quantile as `p90` or `0.9`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "median" => Some(Self::Median),
            "mean" => Some(Self::Mean),
            "geomean" => Some(Self::GeometricMean),
            "trimmed" => Some(Self::Trimmed),
            "min" => Some(Self::Min),
            "max" => Some(Self::Max),
            _ => {
                let fraction = match text.strip_prefix('p') {
                    Some(percent) => percent.parse::<f64>().ok()? / 100.0,
                    None => text.parse().ok()?,
                };
                let is_share = (0.0..=1.0).contains(&fraction);
                is_share.then(|| Self::Quantile((fraction * 1000.0).round() as u16))
            }
        }
    }

    /// Returns the statistic of times in any order, or `None` if there are none. It is the same as that of sorted times to the last bit.
    pub fn of(self, mut times: Vec<f64>) -> Option<f64> {
        if self == Self::Median {
            return median(times);
        }
        times.sort_unstable_by(f64::total_cmp);
        self.of_sorted(&times)
    }

    /// Returns the statistic of times in increasing order, or `None` if there are none.
    pub fn of_sorted(self, times: &[f64]) -> Option<f64> {
        let (first, last) = (*times.first()?, *times.last()?);
        Some(match self {
            Self::Median => {
                let half = times.len() / 2;
                if times.len() % 2 == 1 { times[half] } else { f64::midpoint(times[half - 1], times[half]) }
            }
            Self::Mean => times.iter().sum::<f64>() / times.len() as f64,
            Self::GeometricMean => {
                (times.iter().map(|time| time.ln()).sum::<f64>() / times.len() as f64).exp()
            }
            Self::Trimmed => {
                let tenth = times.len() / 10;
                return Self::Mean.of_sorted(&times[tenth..times.len() - tenth]);
            }
            Self::Min => first,
            Self::Max => last,
            Self::Quantile(thousandths) => {
                let position = f64::from(thousandths) / 1000.0 * (times.len() - 1) as f64;
                let (below, share) = (position as usize, position.fract());
                let above = (below + 1).min(times.len() - 1);
                times[below] + share * (times[above] - times[below])
            }
        })
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Median => f.write_str("median"),
            Self::Mean => f.write_str("mean"),
            Self::GeometricMean => f.write_str("geomean"),
            Self::Trimmed => f.write_str("trimmed"),
            Self::Min => f.write_str("min"),
            Self::Max => f.write_str("max"),
            Self::Quantile(thousandths) => write!(f, "p{}", f64::from(*thousandths) / 10.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_few_times() {
        let times = [1.0, 2.0, 4.0, 9.0];
        let of = |text: &str| Statistic::parse(text).unwrap().of_sorted(&times).unwrap();
        assert_eq!([of("median"), of("mean"), of("min"), of("max")], [3.0, 4.0, 1.0, 9.0]);
        // scipy.stats.gmean([1, 2, 4, 9])
        assert!((of("geomean") - 2.912_950_630_243_940_4).abs() < 1e-12);
        assert_eq!(of("trimmed"), 4.0, "a tenth of four is none");
        // scipy.stats.trim_mean([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99], 0.1)
        let eleven: Vec<f64> = (1..=10).map(f64::from).chain([99.0]).collect();
        assert_eq!(Statistic::Trimmed.of_sorted(&eleven), Some(6.0));
        // R's quantile(c(1, 2, 4, 9), c(0.25, 0.5, 0, 1, 0.9), type = 7)
        assert_eq!([of("p25"), of("p50"), of("p0"), of("p100")], [1.75, 3.0, 1.0, 9.0]);
        assert!((of("0.9") - 7.5).abs() < 1e-12);
        assert_eq!(Statistic::Median.of_sorted(&[5.0]), Some(5.0));
        assert_eq!(Statistic::Mean.of_sorted(&[]), None);
    }

    #[test]
    fn times_in_any_order_have_the_same_statistics() {
        let names =
            ["median", "mean", "geomean", "trimmed", "min", "max", "p0", "p25", "p33.3", "p90", "p100"];
        for length in 0..40_u32 {
            let times: Vec<f64> = (0..length).map(|at| f64::from(at * 7919 % 31) / 3.0 + 0.1).collect();
            let mut sorted = times.clone();
            sorted.sort_by(f64::total_cmp);
            for name in names {
                let statistic = Statistic::parse(name).unwrap();
                let (any, of_sorted) = (statistic.of(times.clone()), statistic.of_sorted(&sorted));
                assert_eq!(any.map(f64::to_bits), of_sorted.map(f64::to_bits), "{name} of {length}");
            }
        }
    }

    #[test]
    fn names_read_back() {
        for text in ["median", "mean", "geomean", "trimmed", "min", "max", "p90", "p99.9"] {
            assert_eq!(Statistic::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "p", "p101", "1.5", "mode", "NaN", "p-1"] {
            assert_eq!(Statistic::parse(text), None, "{text}");
        }
    }
}
