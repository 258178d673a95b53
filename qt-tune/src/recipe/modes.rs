//! Times of two modes.

use crate::measurements::Series;

/// More than so many of the repeats …
const SHARE: f64 = 0.2;

/// … are so many times slower than the fastest one.
const FACTOR: f64 = 5.0;

/// Whether the repeats have two modes: more than a fifth of them take over five times as long as the fastest.
///
/// Whichever half of such repeats is looked at, its median may fall on either mode: these cells, not the ties, decide
/// what a held-out mean is.
pub fn two_modes(series: &Series) -> bool {
    let times = series.sorted();
    let Some(&fastest) = times.first() else { return false };
    let slow = times.iter().filter(|&&time| time > FACTOR * fastest).count();
    slow as f64 > SHARE * times.len() as f64
}
