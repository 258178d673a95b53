//! Bimodal times.

/// The share of slow repeats that must be exceeded.
const SHARE: f64 = 0.2;

/// The factor over the fastest repeat that makes a repeat slow.
const FACTOR: f64 = 5.0;

/// The minimum number of repeats; with fewer, a mode cannot be distinguished from an outlier.
const REPEATS: usize = 5;

/// The minimum number of repeats in a mode.
const MIN_IN_MODE: usize = 2;

/// Returns whether the times of repeats, in any order, are bimodal: more than a fifth of them are over five times as long as the
/// fastest. There must be five repeats, and two in each mode: one slow repeat of three is an outlier.
///
/// The median of either half of such repeats may fall on either mode. These cells, not the ties, determine
/// a held-out mean.
pub fn is_bimodal(times: &[f64]) -> bool {
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let slow = times.iter().filter(|&&time| time > FACTOR * fastest).count();
    let is_often = |repeats: usize| repeats >= MIN_IN_MODE;
    times.len() >= REPEATS
        && is_often(slow)
        && is_often(times.len() - slow)
        && slow as f64 > SHARE * times.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_more_than_an_outlier() {
        assert!(!is_bimodal(&[]));
        assert!(!is_bimodal(&[1.0, 1.0, 9.0]), "one of three");
        assert!(!is_bimodal(&[1.0, 1.0, 9.0, 9.0]), "four repeats");
        assert!(!is_bimodal(&[1.0, 1.0, 1.0, 1.0, 9.0]), "one of five");
        assert!(is_bimodal(&[1.0, 9.0, 1.0, 9.0, 1.0]));
        assert!(!is_bimodal(&[1.0, 9.0, 9.0, 9.0, 9.0]), "one fast repeat");
        assert!(!is_bimodal(&[1.0, 5.0, 1.0, 5.0, 1.0]), "no more than five times as long");
        let tenth = |slow: usize| [vec![9.0; slow], vec![1.0; 10 - slow]].concat();
        assert!(!is_bimodal(&tenth(2)) && is_bimodal(&tenth(3)), "more than a fifth");
    }
}
