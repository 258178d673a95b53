//! Results of an earlier run that the last one did not replace, because it measured other points.
//!
//! Some programs write a file for each benchmark. Its date shows the run: one benchmark follows the other without a long pause.

use std::collections::BTreeSet;

use qtdec_core::{Place, Problem, median};

use super::names::{Dated, FileNames};
use super::part::CollectiveTimes;
use crate::measurements::Series;
use crate::readers::advice;

/// The pause in seconds between two benchmarks that must be exceeded between two runs.
const PAUSE: f64 = 60.0;

/// The factor over the usual pause that must be exceeded, because inputs may take long to prepare.
const FACTOR: f64 = 10.0;

/// Returns the fault that points were only measured in a run before the last one.
pub(super) fn earlier_points<'p>(
    names: &FileNames,
    parts: impl Iterator<Item = &'p CollectiveTimes>,
) -> Option<Problem> {
    let earlier = before_last_run(names.dated().collect())?;
    let (mut files, mut points, mut example) = (BTreeSet::new(), 0_usize, None);
    for part in parts {
        let measured = &part.measurements;
        let all: Vec<(&[u64], usize, &Series)> = measured.all_series().collect();
        for point in all.chunk_by(|one, other| one.0 == other.0) {
            let repeats = point.iter().flat_map(|(_, _, series)| series.repeats());
            let of_point: BTreeSet<usize> = repeats.map(|repeat| names.position(repeat.file)).collect();
            if !of_point.is_empty() && of_point.is_subset(&earlier) {
                points += 1;
                files.extend(of_point);
                example.get_or_insert_with(|| measured.place(point[0].0));
            }
        }
    }
    let message = format!(
        "{} benchmarks are of a run before the last one, which measured nothing at their {points} points, such as {}",
        files.len(),
        example?
    );
    Some(Problem::new(Place::File, message).help(advice::EARLIER_GRID))
}

/// Returns the files of all runs but the last one, if there are several.
fn before_last_run(mut dated: Vec<(usize, Dated)>) -> Option<BTreeSet<usize>> {
    dated.sort_by_key(|(_, dated)| dated.written);
    let pause = |pair: &[(usize, Dated)]| (pair[1].1.written - pair[0].1.written) as f64 - pair[1].1.lasted;
    let pauses: Vec<f64> = dated.windows(2).map(pause).collect();
    let mut usual = pauses.clone();
    usual.sort_by(f64::total_cmp);
    usual.pop();
    let limit = PAUSE.max(FACTOR * median(usual).unwrap_or_default());
    let last = pauses.iter().rposition(|pause| *pause > limit)?;
    Some(dated[..=last].iter().map(|(file, _)| *file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_told_apart_by_pauses_and_not_by_long_benchmarks() {
        let before = |written: &[(i64, f64)]| {
            let dated = written.iter().map(|(written, lasted)| Dated { written: *written, lasted: *lasted });
            before_last_run(dated.enumerate().collect()).map(|files| files.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(before(&[]), None);
        assert_eq!(before(&[(0, 5.0)]), None);
        assert_eq!(before(&[(0, 5.0), (9, 5.0), (1000, 5.0), (1009, 5.0)]), Some(vec![0, 1]));
        assert_eq!(before(&[(1009, 5.0), (0, 5.0), (1000, 5.0)]), Some(vec![1]), "in any order");
        assert_eq!(before(&[(0, 5.0), (500, 5.0), (1000, 5.0)]), None, "each input takes long");
        assert_eq!(before(&[(0, 5.0), (9, 5.0), (1000, 985.0), (1009, 5.0)]), None, "a benchmark takes long");
        assert_eq!(before(&[(0, 5.0); 4]), None, "dates were lost in a copy");
    }
}
