//! Checks whether a library follows a tuning file, judging by times.
//!
//! No release of a library reports which algorithm it ran. But if the deployed method is much faster or slower than
//! the library's own choice, the time reveals which of the two ran.

use crate::measure::measurements::{Measurements, Statistic};

/// The minimum factor between the times of two methods that distinguishes them.
const FACTOR: f64 = 1.2;

/// The number of points at which the time is that of the deployed method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compliance {
    /// The number of points at which the time is nearer to that of the deployed method.
    pub followed: u64,
    /// The sizes of the points at which it is nearer to that of the default.
    pub others: Vec<Vec<u64>>,
}

impl Compliance {
    /// Compares times that were measured with a tuning file with earlier times of every method. `deployed` returns the label of
    /// the method that the file chooses for a point, or `None` if it keeps the default, whose label is `default`.
    ///
    /// Only points at which the medians of both methods differ by a factor of 1.2 or more count; distances are between
    /// logarithms.
    pub fn of(
        before: &Measurements,
        after: &Measurements,
        default: &str,
        deployed: impl Fn(&[u64]) -> Option<String>,
    ) -> Self {
        let labels: Vec<String> = before.methods().map(|method| method.label()).collect();
        let median_before = |sizes: &[u64], label: &str| {
            let method = labels.iter().position(|known| known == label)?;
            before.series(sizes, method)?.get(Statistic::Median)
        };
        let mut compliance = Self::default();
        for (sizes, _, series) in after.all_series() {
            let Some(label) = deployed(sizes).filter(|label| label != default) else { continue };
            let (Some(chosen), Some(kept), Some(time)) =
                (median_before(sizes, &label), median_before(sizes, default), series.get(Statistic::Median))
            else {
                continue;
            };
            let apart = |one: f64, other: f64| (one / other).ln().abs();
            if apart(chosen, kept) < FACTOR.ln() {
                continue;
            }
            if apart(time, chosen) < apart(time, kept) {
                compliance.followed += 1;
            } else {
                compliance.others.push(sizes.to_vec());
            }
        }
        compliance
    }

    /// Returns the number of points that distinguish the deployed method from the default.
    pub fn points(&self) -> u64 {
        self.followed + self.others.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::measurements::{MeasuredAxis, MeasuredMethod, Repeat};

    fn times(of: &[(u64, &str, f64)]) -> Measurements {
        let mut measurements = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
        for (size, name, time) in of {
            let method = measurements.method(MeasuredMethod { name: (*name).to_owned(), segment_size: None });
            measurements.record(&[*size], method, Repeat { time: *time, run: 0, file: 0 });
        }
        measurements
    }

    #[test]
    fn a_time_is_that_of_the_nearer_method() {
        let before = times(&[
            (1, "default", 10.0),
            (1, "ring", 5.0),
            (2, "default", 10.0),
            (2, "ring", 5.0),
            (4, "default", 10.0),
            (4, "ring", 9.0),
            (8, "default", 10.0),
            (8, "ring", 50.0),
        ]);
        let after =
            times(&[(1, "osu", 5.5), (2, "osu", 9.5), (4, "osu", 9.0), (8, "osu", 10.0), (16, "osu", 1.0)]);
        let ring = |sizes: &[u64]| (sizes[0] < 8).then(|| "ring".to_owned());
        let found = Compliance::of(&before, &after, "default", ring);
        assert_eq!(
            found,
            Compliance { followed: 1, others: vec![vec![2]] },
            "4 tells nothing, 8 keeps the default"
        );
        assert_eq!(found.points(), 2);
        let everywhere = Compliance::of(&before, &after, "default", |_| Some("ring".to_owned()));
        assert_eq!(everywhere.others, [[2], [8]]);
    }
}
