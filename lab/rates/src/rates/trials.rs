//! Rates over trials with fixed seeds.

use std::ops::RangeInclusive;
use std::thread;

/// The seeds of all trials, fixed before the first run.
pub(super) const SEEDS: RangeInclusive<u64> = 1..=2000;

/// Returns the shares of seeds for which each finding of a trial is true, in per cent.
pub(super) fn rates<const N: usize>(
    seeds: RangeInclusive<u64>,
    trial: impl Fn(u64) -> [bool; N] + Sync,
) -> [f64; N] {
    let number = (*seeds.end() - *seeds.start() + 1) as f64;
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let (first, last) = (*seeds.start(), *seeds.end());
    let part = |thread: u64| {
        let mut hits = [0_u64; N];
        for seed in (first + thread..=last).step_by(threads as usize) {
            for (hits, found) in hits.iter_mut().zip(trial(seed)) {
                *hits += u64::from(found);
            }
        }
        hits
    };
    let parts: Vec<[u64; N]> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        started.into_iter().map(|part| part.join().expect("a trial does not panic")).collect()
    });
    std::array::from_fn(|at| parts.iter().map(|part| part[at]).sum::<u64>())
        .map(|hits| 100.0 * hits as f64 / number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_counts_once() {
        assert_eq!(rates(1..=20, |seed| [seed % 2 == 0, seed == 3, seed > 20]), [50.0, 5.0, 0.0]);
    }
}
