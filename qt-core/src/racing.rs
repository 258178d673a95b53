//! The racing rule: methods that are clearly slower than the best one of their point are not measured there again.
//!
//! What measures single calls uses this rule: benchmarks of MPI libraries, and a program's own benchmark. The steps were chosen by
//! simulated races, whose rates `lab/results/rates.md` has.

/// The repeats after which a race drops methods, with the factor by which a dropped method is slower than another one, and the number of
/// rounds in which it is.
///
/// Few repeats are no bound of the median where times fall into two groups, or where some calls are slow: if a third of them take three
/// times as long, that is true of one repeat in every third race, and of three repeats in every twenty-seventh. So nothing is dropped
/// after one or two. Of many rounds, some may be exceptions: of two methods that take the same time, none is slower in so many of them
/// in more than one of a thousand races.
pub const STEPS: [(usize, f64, usize); 7] =
    [(3, 1.25, 3), (4, 1.1, 4), (5, 1.05, 5), (7, 1.0, 7), (20, 1.0, 18), (40, 1.0, 31), (80, 1.0, 56)];

/// Drops the slow methods of a point when each method that is `running` has been measured `repeats` times, if that is one of the
/// [`STEPS`]. `times` holds the repeats of each method in the order of the rounds, in any unit. A method that was dropped stays so, and
/// none is compared with it.
///
/// Repeats of one round are compared, so that what they have in common cancels: a cold start, or the drift of the machine.
pub fn drop_slow<T: AsRef<[f64]>>(times: &[T], running: &mut [bool], repeats: usize) {
    let Some((_, factor, rounds)) = STEPS.into_iter().find(|(step, ..)| *step == repeats) else { return };
    let times: Vec<Option<&[f64]>> = times.iter().map(|times| times.as_ref().get(..repeats)).collect();
    let compared: Vec<&[f64]> = times
        .iter()
        .zip(&*running)
        .filter(|(_, running)| **running)
        .filter_map(|(times, _)| *times)
        .collect();
    for (own, running) in times.iter().zip(running) {
        let is_slow = |own: &[f64]| compared.iter().any(|other| slower(own, other, factor) >= rounds);
        *running &= !own.is_some_and(is_slow);
    }
}

/// Returns the number of rounds in which a time is greater than this multiple of another one.
fn slower(times: &[f64], others: &[f64], factor: f64) -> usize {
    times.iter().zip(others).filter(|(time, other)| **time > factor * **other).count()
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
        assert_eq!(left(&[&[1.0], &[99.0]]), [true, true], "nothing is dropped after one");
        assert_eq!(left(&[&[1.0; 2], &[99.0; 2]]), [true, true], "nor after two");
        assert_eq!(left(&[&[1.0; 3], &[1.25; 3], &[1.3; 3]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 4], &[1.1; 4], &[1.2; 4]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 5], &[1.05; 5], &[1.06; 5]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 7], &[1.0; 7], &[1.01; 7]]), [true, true, false]);
        assert_eq!(left(&[&[1.0; 8], &[9.0; 8]]), [true, true], "nor between the steps");
    }

    #[test]
    fn a_method_is_slower_in_each_round() {
        assert_eq!(left(&[&[1.0; 3], &[1.2, 9.0, 9.0]]), [true, true], "one round is enough to stay");
        assert_eq!(left(&[&[0.1, 1.4, 1.4], &[1.4; 3]]), [true, true], "and one that is too fast drops none");
    }

    #[test]
    fn of_many_rounds_some_are_exceptions() {
        for (repeats, exceptions) in [(20, 2), (40, 9), (80, 24)] {
            let other = vec![1.0; repeats];
            let mut own = vec![1.01; repeats];
            own[..exceptions].fill(0.5);
            assert_eq!(left(&[&other, &own]), [true, false], "{repeats}");
            own[exceptions] = 0.5;
            assert_eq!(left(&[&other, &own]), [true, true], "{repeats}");
        }
    }

    /// The first method takes three times as long in one group of its calls; the second one would be dropped by a comparison of the
    /// first round alone.
    #[test]
    fn a_method_with_two_groups_of_times_stays() {
        assert_eq!(left(&[&[3.0], &[1.05]]), [true, true]);
        assert_eq!(left(&[&[3.0, 3.0, 1.0], &[1.05; 3]]), [true, true]);
    }

    /// All calls of the first round take ten times as long, and each round more than the one before.
    #[test]
    fn what_a_round_has_in_common_cancels() {
        assert_eq!(left(&[&[10.0, 1.0, 1.1], &[13.0, 1.3, 1.43]]), [true, false]);
    }

    #[test]
    fn a_dropped_method_stays_so_and_drops_none() {
        let mut running = [true, false];
        drop_slow(&[[5.0; 3], [1.0; 3]], &mut running, 3);
        assert_eq!(running, [true, false]);
    }
}
