//! Times of two modes.

use crate::measure::measurements::Series;

/// More than so many of the repeats …
const SHARE: f64 = 0.2;

/// … are so many times slower than the fastest one.
const FACTOR: f64 = 5.0;

/// Of fewer repeats nobody can tell a mode from an outlier …
const REPEATS: usize = 5;

/// … and a mode is what was met so often.
const OFTEN: usize = 2;

/// Whether the repeats have two modes: more than a fifth of them take over five times as long as the fastest. There must be
/// five repeats, and two in each mode: one slow repeat of three is an outlier.
///
/// Whichever half of such repeats is looked at, its median may fall on either mode: these cells, not the ties, decide
/// what a held-out mean is.
pub fn is_bimodal(series: &Series) -> bool {
    let times = series.sorted();
    let Some(&fastest) = times.first() else { return false };
    let slow = times.iter().filter(|&&time| time > FACTOR * fastest).count();
    let is_often = |repeats: usize| repeats >= OFTEN;
    times.len() >= REPEATS
        && is_often(slow)
        && is_often(times.len() - slow)
        && slow as f64 > SHARE * times.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::measurements::Repeat;

    fn has_two(times: &[f64]) -> bool {
        is_bimodal(&Series::Repeats(times.iter().map(|&time| Repeat { time, run: 0, file: 0 }).collect()))
    }

    #[test]
    fn a_mode_is_more_than_an_outlier() {
        assert!(!has_two(&[]));
        assert!(!has_two(&[1.0, 1.0, 9.0]), "one of three");
        assert!(!has_two(&[1.0, 1.0, 9.0, 9.0]), "four repeats");
        assert!(!has_two(&[1.0, 1.0, 1.0, 1.0, 9.0]), "one of five");
        assert!(has_two(&[1.0, 9.0, 1.0, 9.0, 1.0]));
        assert!(!has_two(&[1.0, 9.0, 9.0, 9.0, 9.0]), "one fast repeat");
        assert!(!has_two(&[1.0, 5.0, 1.0, 5.0, 1.0]), "no more than five times as long");
        let tenth = |slow: usize| [vec![9.0; slow], vec![1.0; 10 - slow]].concat();
        assert!(!has_two(&tenth(2)) && has_two(&tenth(3)), "more than a fifth");
    }
}
