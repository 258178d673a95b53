//! How often what is claimed of noise is wrong, and how often what is true is seen: rates over simulated campaigns.
//!
//! The seeds are 1 to 2000. Each test prints a line for every setting. The tests that are not ignored run few trials of the same
//! code; all rates take about an hour of one core without optimisation:
//!
//! ```sh
//! cargo test -p qtdec-tune --test integration rates:: -- --ignored --nocapture --test-threads=1
//! ```

mod deployments;
mod gains;
mod noise;

use std::ops::RangeInclusive;
use std::thread;

/// The seeds of all trials.
const SEEDS: RangeInclusive<u64> = 1..=2000;

/// Returns the share of seeds for which a trial is true, in per cent.
fn rate(seeds: RangeInclusive<u64>, trial: impl Fn(u64) -> bool + Sync) -> f64 {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let (first, last) = (*seeds.start(), *seeds.end());
    let part =
        |thread: u64| (first + thread..=last).step_by(threads as usize).filter(|seed| trial(*seed)).count();
    let hits: usize = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        parts.into_iter().map(|part| part.join().expect("a trial does not panic")).sum()
    });
    100.0 * hits as f64 / (last - first + 1) as f64
}
