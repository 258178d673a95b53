//! The racing rule: methods that are clearly slower than the best one of their point are not measured there again.
//!
//! Everything that measures uses this rule: benchmarks of MPI libraries, job scripts in rounds, and a program's own benchmark. The
//! steps were chosen by replays of archives of complete measurements; `qtdec-mpi race --replay` prints for any archive the time that they save
//! and the points that they lose.

use crate::median;

/// Numbers of repeats, and the factor of the least median that the fastest repeat of a method may take then, in order.
pub const STEPS: [(usize, f64); 4] = [(1, 2.0), (2, 1.5), (3, 1.2), (5, 1.1)];

/// Drops the slow methods of a point when each method that is `running` has been measured `repeats` times, if that is one of the
/// [`STEPS`]. `times` holds the repeats of each method, in any unit. A method that was dropped stays so, and none is compared with it.
pub fn drop_slow<T: AsRef<[f64]>>(times: &[T], running: &mut [bool], repeats: usize) {
    let Some((_, factor)) = STEPS.into_iter().find(|(step, _)| *step == repeats) else { return };
    let medians = times.iter().zip(&*running).filter(|(_, running)| **running);
    let least = medians.filter_map(|(times, _)| median(times.as_ref())).fold(f64::INFINITY, f64::min);
    for (times, running) in times.iter().zip(running) {
        let fastest = times.as_ref().iter().copied().fold(f64::INFINITY, f64::min);
        *running &= fastest <= factor * least;
    }
}

/// Returns the number of repeats of the first step after this one, if there is one.
pub fn next_step(repeats: usize) -> Option<usize> {
    STEPS.into_iter().map(|(step, _)| step).find(|step| *step > repeats)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(times: &[&[f64]]) -> Vec<bool> {
        let mut running = vec![true; times.len()];
        drop_slow(times, &mut running, times[0].len());
        running
    }

    #[test]
    fn limits_become_stricter() {
        assert_eq!(left(&[&[1.0], &[2.0], &[2.1]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 2], &[1.5; 2], &[1.6; 2]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 3], &[1.2; 3], &[1.3; 3]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 4], &[9.0; 4]]), [true, true], "nothing is dropped after four");
        assert_eq!(left(&[&[1.0; 5], &[1.1; 5], &[1.11; 5]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 6], &[9.0; 6]]), [true, true], "nor after the last step");
    }

    #[test]
    fn the_fastest_repeat_is_compared_with_the_least_median() {
        assert_eq!(left(&[&[1.0, 1.0], &[1.4, 9.0]]), [true, true], "one fast repeat is enough");
        assert_eq!(left(&[&[0.1, 1.9], &[1.4, 1.4]]), [true, true], "and one that is too fast drops none");
    }

    #[test]
    fn a_dropped_method_stays_so_and_drops_none() {
        let mut running = [true, false];
        drop_slow(&[[5.0], [1.0]], &mut running, 1);
        assert_eq!(running, [true, false]);
    }

    #[test]
    fn steps_follow_each_other() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(next_step),
            [1, 2, 3, 5, 5, 0].map(|step| (step > 0).then_some(step))
        );
    }
}
