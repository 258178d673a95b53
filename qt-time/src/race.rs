//! Which methods are measured further at a point.

/// After this many repeats, a method is dropped if its fastest repeat takes more than this factor of the best median.
const LIMITS: [(usize, f64); 4] = [(1, 2.0), (2, 1.5), (3, 1.2), (5, 1.1)];

/// Returns the factor that applies after this many repeats, if methods are dropped then.
fn limit(repeats: usize) -> Option<f64> {
    LIMITS.iter().find(|(after, _)| *after == repeats).map(|(_, factor)| *factor)
}

/// Drops the methods of a point that are clearly slower than the best one. `times` holds the repeats of each method.
pub(crate) fn drop_slow(times: &[Vec<f64>], running: &mut [bool]) {
    let best = times.iter().filter_map(|repeats| median(repeats)).fold(f64::INFINITY, f64::min);
    for (repeats, running) in times.iter().zip(running).filter(|(_, running)| **running) {
        let least = repeats.iter().copied().fold(f64::INFINITY, f64::min);
        *running = limit(repeats.len()).is_none_or(|factor| least <= factor * best);
    }
}

/// Returns the median; `None` of nothing.
pub(crate) fn median(times: &[f64]) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied()?;
    Some(if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], upper) } else { upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_become_stricter() {
        let run = |times: &[Vec<f64>]| {
            let mut running = vec![true; times.len()];
            drop_slow(times, &mut running);
            running
        };
        assert_eq!(run(&[vec![1.0], vec![1.9], vec![2.1]]), [true, true, false]);
        assert_eq!(run(&[vec![1.0, 1.0], vec![1.9, 1.9], vec![1.4, 9.0]]), [true, false, true]);
        // Nothing is dropped after four repeats.
        assert_eq!(run(&[vec![1.0; 4], vec![9.0; 4]]), [true, true]);
        assert_eq!(run(&[vec![1.0; 5], vec![1.11; 5]]), [true, false]);
    }

    #[test]
    fn a_method_that_was_dropped_stays_so() {
        let mut running = [true, false];
        drop_slow(&[vec![5.0], vec![1.0]], &mut running);
        assert_eq!(running, [false, false]);
    }

    #[test]
    fn medians() {
        assert_eq!(
            [median(&[]), median(&[3.0]), median(&[4.0, 2.0]), median(&[9.0, 1.0, 2.0])],
            [None, Some(3.0), Some(3.0), Some(2.0)]
        );
    }
}
