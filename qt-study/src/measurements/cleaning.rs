//! Removal of repeats that should not count.

use std::collections::HashMap;

use super::{Measurements, Repeat, Series, Statistic};

/// The repeats that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaning {
    /// The number of repeats dropped at the beginning of each run of a series; one of each run always stays. Each file counts as a
    /// run, because it was written by a program that started cold.
    pub drop_first: usize,
    /// The maximum number of repeats of a series: the first ones in the order of the files, after other removals.
    pub first: Option<usize>,
    /// Whether repeats above the upper fence, Q3 + 1.5 · (Q3 − Q1), are dropped (Tukey, *Exploratory Data Analysis*,
    /// 1977).
    pub drop_outliers: bool,
}

impl Cleaning {
    /// Returns the measurements without those repeats. Series of which only statistics are known are unchanged.
    #[must_use]
    pub fn apply(self, mut clean: Measurements) -> Measurements {
        if self != Self::default() {
            clean.each_mut().for_each(|series| self.clean(series));
        }
        clean
    }

    fn clean(self, series: &mut Series) {
        let Series::Repeats(repeats) = series else { return };
        drop_first(self.drop_first, repeats);
        if self.drop_outliers {
            let sorted = series.sorted();
            let quartile =
                |thousandths| Statistic::Quantile(thousandths).of_sorted(&sorted).unwrap_or(f64::INFINITY);
            let fence = quartile(750) + 1.5 * (quartile(750) - quartile(250));
            if let Series::Repeats(repeats) = series {
                repeats.retain(|repeat| repeat.time <= fence);
            }
        }
        if let (Series::Repeats(repeats), Some(first)) = (series, self.first) {
            repeats.truncate(first);
        }
    }
}

/// Drops a number of repeats of every run, but leaves at least one.
fn drop_first(number: usize, repeats: &mut Vec<Repeat>) {
    let run = |repeat: &Repeat| (repeat.file, repeat.run);
    let mut of_runs: HashMap<(u32, u16), usize> = HashMap::new();
    for repeat in &*repeats {
        *of_runs.entry(run(repeat)).or_default() += 1;
    }
    for repeats in of_runs.values_mut() {
        *repeats = number.min(*repeats - 1);
    }
    repeats.retain(|repeat| match of_runs.get_mut(&run(repeat)) {
        Some(to_drop) if *to_drop > 0 => {
            *to_drop -= 1;
            false
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::measured;

    fn cleaned(times: &[f64], cleaning: Cleaning) -> Vec<f64> {
        let clean = cleaning.apply(measured(times.iter().map(|&time| (2, "a", 0, time))));
        clean.series(&[2], 0).unwrap().repeats().iter().map(|repeat| repeat.time).collect()
    }

    #[test]
    fn first_repeats_and_outliers() {
        let times = [90.0, 1.0, 2.0, 3.0, 4.0, 50.0];
        assert_eq!(cleaned(&times, Cleaning { drop_first: 1, ..Cleaning::default() }), times[1..]);
        assert_eq!(
            cleaned(&times, Cleaning { drop_first: 1, drop_outliers: true, first: None }),
            times[1..5]
        );
        assert_eq!(
            cleaned(&times, Cleaning { drop_first: 9, drop_outliers: true, first: None }),
            [50.0],
            "one always stays"
        );
        let first = Cleaning { drop_first: 1, drop_outliers: false, first: Some(2) };
        assert_eq!(cleaned(&times, first), times[1..3], "of those that are left");
    }

    #[test]
    fn the_first_repeats_of_every_run_are_dropped() {
        // Runs may be interleaved in one file, and files may not name their run.
        let repeats =
            [(90.0, 0, 0), (80.0, 1, 0), (1.0, 0, 0), (2.0, 1, 0), (70.0, 0, 1), (3.0, 0, 1), (4.0, 2, 1)];
        let repeats = repeats.map(|(time, run, file)| Repeat { time, run, file });
        let kept = |number: usize| {
            let mut repeats = repeats.to_vec();
            drop_first(number, &mut repeats);
            repeats.iter().map(|repeat| repeat.time).collect::<Vec<_>>()
        };
        assert_eq!(kept(0).len(), 7);
        assert_eq!(kept(1), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(kept(usize::MAX), [1.0, 2.0, 3.0, 4.0], "one of each run stays");
    }
}
