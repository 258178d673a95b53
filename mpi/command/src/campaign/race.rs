//! Racing: methods that are much slower than the best of their cell are not measured again. A repeat is a benchmark of many calls.
//!
//! The next round depends only on the previous measurements, so a race can be interrupted and resumed at any point.

mod list;

pub use list::{Failed, Line, lines};

/// Numbers of repeats, and the factor of the least median that the fastest repeat of a method may take then, in order. They were chosen
/// on archives of complete measurements.
const STEPS: [(usize, f64); 4] = [(1, 2.0), (2, 1.5), (3, 1.2), (5, 1.1)];

/// The number of repeats of the methods that are left at the end of a race.
pub const MOST: usize = 10;

/// Returns the number of repeats up to which each method of a cell should be measured now. Methods that already have as many
/// are finished, at least until others have caught up. After the steps of a race, the methods that are not clearly slower than the
/// best one are left.
///
/// `times` are the repeats of each method in the order in which they were measured, `kept` is the method that is never dropped,
/// and `takes_part` says which methods are in the race.
fn wanted(times: &[&[f64]], kept: Option<usize>, takes_part: &[bool]) -> Vec<usize> {
    let mut running = takes_part.to_vec();
    let mut checkpoint = STEPS[0].0;
    loop {
        // A single method needs no second repeat.
        if checkpoint > STEPS[0].0 && running.iter().filter(|is_running| **is_running).count() < 2 {
            return vec![0; times.len()];
        }
        let wanted: Vec<usize> =
            running.iter().map(|is_running| if *is_running { checkpoint } else { 0 }).collect();
        if checkpoint >= MOST || wanted.iter().zip(times).any(|(wanted, times)| times.len() < *wanted) {
            return wanted;
        }
        let first: Vec<&[f64]> = times.iter().map(|times| &times[..checkpoint.min(times.len())]).collect();
        let kept = kept.filter(|&kept| running[kept]);
        drop_slow(&first, &mut running, checkpoint);
        if let Some(kept) = kept {
            running[kept] = true;
        }
        checkpoint = next_step(checkpoint).unwrap_or(MOST);
    }
}

/// Returns the median, or infinity if there are no times.
fn median(times: &[f64]) -> f64 {
    qtdec_core::median(times).unwrap_or(f64::INFINITY)
}

/// Drops the slow methods of a cell when each method that is running has this number of repeats, if that is one of the [`STEPS`].
fn drop_slow(times: &[&[f64]], running: &mut [bool], repeats: usize) {
    let Some((_, factor)) = STEPS.into_iter().find(|(step, _)| *step == repeats) else { return };
    let medians = times.iter().zip(&*running).filter(|(_, running)| **running);
    let least = medians.map(|(times, _)| median(times)).fold(f64::INFINITY, f64::min);
    for (times, running) in times.iter().zip(running) {
        let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
        *running &= fastest <= factor * least;
    }
}

/// Returns the number of repeats of the first step after this one, if there is one.
fn next_step(repeats: usize) -> Option<usize> {
    STEPS.into_iter().map(|(step, _)| step).find(|step| *step > repeats)
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn a_race_drops_by_the_fastest_repeat() {
        let wanted = |times: [&[f64]; 3], kept| wanted(&times, kept, &[true; 3]);
        assert_eq!(wanted([&[], &[], &[]], None), [1, 1, 1], "each once");
        assert_eq!(wanted([&[1.0], &[], &[2.1]], None), [1, 1, 1], "not before all are there");
        // The third is slower by more than 2, and so is the default, which stays.
        assert_eq!(wanted([&[1.0], &[2.0], &[2.1]], None), [2, 2, 0]);
        assert_eq!(wanted([&[1.0], &[2.0], &[2.1]], Some(2)), [2, 2, 2]);
        // One fast repeat is enough to stay.
        assert_eq!(wanted([&[1.0, 1.0], &[1.4, 9.0], &[1.6, 1.6]], None), [3, 3, 0]);
        let slow = [1.15; 5];
        assert_eq!(wanted([&[1.0; 5], &slow, &[1.05; 5]], None), [10, 0, 10]);
        assert_eq!(
            wanted([&[1.0; 10], &slow, &[1.05; 10]], None),
            [10, 0, 10],
            "it is over: every method has enough repeats"
        );
        // A single method needs no second repeat.
        assert_eq!(wanted([&[1.0], &[9.0], &[9.0]], None), [0, 0, 0]);
        let alone = |times: &[f64]| super::wanted(&[times, &[], &[]], None, &[true, false, false]);
        assert_eq!((alone(&[]), alone(&[1.0])), (vec![1, 0, 0], vec![0, 0, 0]));
    }
}
