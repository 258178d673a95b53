//! One repeat of one method: a batch of calls.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time that a batch of calls takes at least.
pub(crate) const BATCH: Duration = Duration::from_millis(1);

/// The time for which a method is called before its first repeat at a point.
pub(crate) const WARM_UP: Duration = Duration::from_millis(3);

/// The maximum number of calls of a batch.
const MOST_CALLS: u64 = 1 << 24;

/// The maximum number of inputs that are prepared at a time.
const MOST_INPUTS: u64 = 1 << 10;

/// Calls a method this many times and returns the time that they took.
pub(crate) type Runner<'m> = Box<dyn FnMut(u64) -> Duration + 'm>;

/// Returns a runner of calls that need no input.
pub(crate) fn calls<'m, R>(mut run: impl FnMut() -> R + 'm) -> Runner<'m> {
    Box::new(move |calls| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(run());
        }
        start.elapsed()
    })
}

/// Returns a runner that prepares an input for every call, which is not timed.
pub(crate) fn calls_with_inputs<'m, T, R>(
    prepare: impl Fn() -> T + 'm,
    run: impl Fn(&mut T) -> R + 'm,
) -> Runner<'m> {
    Box::new(move |calls| {
        let mut elapsed = Duration::ZERO;
        let mut left = calls;
        while left > 0 {
            let batch = left.min(MOST_INPUTS);
            let mut inputs: Vec<T> = (0..batch).map(|_| prepare()).collect();
            let start = Instant::now();
            for input in &mut inputs {
                black_box(run(black_box(input)));
            }
            elapsed += start.elapsed();
            left -= batch;
        }
        elapsed
    })
}

/// Warms a method up and returns the number of calls that take as long as a batch.
pub(crate) fn warm_up(run: &mut Runner<'_>, warm_up: Duration) -> u64 {
    let mut calls = 1;
    let mut total = Duration::ZERO;
    loop {
        let elapsed = run(calls);
        total += elapsed;
        let is_enough = elapsed >= BATCH || calls == MOST_CALLS;
        if is_enough && total >= warm_up {
            return calls;
        }
        if !is_enough {
            calls = (calls * 2).min(MOST_CALLS);
        }
    }
}

/// Returns the mean time of a call in nanoseconds, over a batch.
pub(crate) fn repeat(run: &mut Runner<'_>, calls: u64) -> f64 {
    // A clock can stand still: a time of 0 would be no cost.
    (run(calls).as_nanos().max(1)) as f64 / calls as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_long_enough_and_warm_up_ends() {
        let mut slept = 0_u64;
        let mut run: Runner<'_> = Box::new(|calls| {
            slept += calls;
            Duration::from_micros(10) * calls as u32
        });
        let calls = warm_up(&mut run, WARM_UP);
        assert_eq!(calls, 128, "100 calls take a millisecond");
        assert_eq!(repeat(&mut run, calls), 10_000.0);
        drop(run);
        assert!(slept >= 300);
        // A clock that stands still, and a method that takes long.
        assert_eq!(warm_up(&mut (Box::new(|_| BATCH) as Runner<'_>), Duration::ZERO), 1);
        let mut still: Runner<'_> = Box::new(|_| Duration::ZERO);
        assert_eq!(warm_up(&mut still, Duration::ZERO), MOST_CALLS);
        assert!(repeat(&mut still, 1) > 0.0);
    }

    #[test]
    fn every_call_has_an_input_of_its_own() {
        let calls = std::cell::Cell::new(0);
        let run = |input: &mut Vec<u32>| {
            assert!(input.is_empty());
            input.push(1);
            calls.set(calls.get() + 1);
        };
        calls_with_inputs(Vec::new, run)(3000);
        assert_eq!(calls.get(), 3000);
    }
}
