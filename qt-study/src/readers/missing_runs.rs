//! Points that some runs lack.
//!
//! A job that dies leaves the sizes measured so far in a file that looks complete. The later points have fewer repeats, which
//! nothing else reveals. Runs are counted, not compared, because jobs for different sizes may have different numbers.

use std::collections::{BTreeSet, HashMap};

use crate::measurements::{Measurements, Series};

/// Describes how many points of methods have times of fewer runs than other points of the same method, with an example.
/// Returns `None` if there are none.
pub(super) fn missing_runs(measurements: &Measurements) -> Option<String> {
    let mut most: HashMap<usize, usize> = HashMap::new();
    for (_, method, series) in measurements.all_series() {
        let most = most.entry(method).or_default();
        *most = runs(series).max(*most);
    }
    let fewer: Vec<_> =
        measurements.all_series().filter(|(_, method, series)| runs(series) < most[method]).collect();
    let &(sizes, method, series) = fewer.first()?;
    let label = measurements.labels().nth(method)?;
    Some(format!(
        "{} of {} series have times of fewer runs than others of their method, such as `{label}` at {}, {} instead of {}: was \
         a job cut off? (A race leaves out slow methods on purpose.)",
        fewer.len(),
        measurements.all_series().count(),
        measurements.place(sizes),
        runs(series),
        most[&method],
    ))
}

fn runs(series: &Series) -> usize {
    series.repeats().iter().map(|repeat| repeat.run).collect::<BTreeSet<u16>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurements::measured;

    fn missing(points: &[(u64, u16)]) -> Option<String> {
        missing_runs(&measured(points.iter().map(|&(size, run)| (size, "ring", run, 1.0))))
    }

    #[test]
    fn points_with_fewer_runs_are_found() {
        let cut = missing(&[(1, 0), (2, 0), (4, 0), (1, 1)]).unwrap();
        assert!(
            cut.starts_with("2 of 3 series") && cut.contains("`ring` at msg_size=2, 1 instead of 2"),
            "{cut}"
        );
    }

    #[test]
    fn as_many_runs_of_other_names_or_more_repeats_are_no_fault() {
        assert_eq!(missing(&[(1, 0), (1, 1), (2, 2), (2, 3)]), None);
        assert_eq!(missing(&[(1, 0), (1, 0), (2, 0)]), None);
    }
}
