//! Repeats that are not to count.

use super::{Measurements, Series, Statistic};

/// Which repeats do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// How many repeats are dropped at the beginning of each series; one always stays.
    pub drop_first: usize,
    /// Whether repeats above the upper fence, Q3 + 1.5 · (Q3 − Q1), are dropped (Tukey, *Exploratory Data Analysis*,
    /// 1977).
    pub drop_outliers: bool,
}

impl Cleaning {
    /// The measurements without those repeats. What is known by its statistics alone stays as it is.
    #[must_use]
    pub fn apply(self, measurements: &Measurements) -> Measurements {
        let mut clean = measurements.clone();
        if self != Self::default() {
            clean.each_mut().for_each(|series| self.clean(series));
        }
        clean
    }

    fn clean(self, series: &mut Series) {
        let Series::Repeats(repeats) = series else { return };
        let dropped = self.drop_first.min(repeats.len().saturating_sub(1));
        repeats.drain(..dropped);
        if self.drop_outliers {
            let sorted = series.sorted();
            let quartile =
                |thousandths| Statistic::Quantile(thousandths).of_sorted(&sorted).unwrap_or(f64::INFINITY);
            let fence = quartile(750) + 1.5 * (quartile(750) - quartile(250));
            if let Series::Repeats(repeats) = series {
                repeats.retain(|repeat| repeat.time <= fence);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MeasuredAxis, MeasuredMethod, Repeat};
    use super::*;

    fn cleaned(times: &[f64], cleaning: Cleaning) -> Vec<f64> {
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("comm_size")]);
        let method = measurements.method(MeasuredMethod { name: "a".to_owned(), segment_size: None });
        for &time in times {
            measurements.record(&[2], method, Repeat { time, run: 0 });
        }
        let clean = cleaning.apply(&measurements);
        clean.series(&[2], method).unwrap().repeats().iter().map(|repeat| repeat.time).collect()
    }

    #[test]
    fn first_repeats_and_outliers() {
        let times = [90.0, 1.0, 2.0, 3.0, 4.0, 50.0];
        assert_eq!(cleaned(&times, Cleaning { drop_first: 1, drop_outliers: false }), times[1..]);
        assert_eq!(cleaned(&times, Cleaning { drop_first: 1, drop_outliers: true }), times[1..5]);
        assert_eq!(
            cleaned(&times, Cleaning { drop_first: 9, drop_outliers: true }),
            [50.0],
            "one always stays"
        );
    }
}
