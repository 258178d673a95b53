//! One repeat of one method: a batch of calls.

use std::hint::black_box;
use std::time::Duration;

use crate::clock::{Clocks, Lap};

/// The time that a batch of calls takes at least.
pub(crate) const BATCH: Duration = Duration::from_millis(1);

/// The time for which a method is called before its first repeat at a point.
pub(crate) const WARM_UP: Duration = Duration::from_millis(3);

/// The maximum number of calls of a batch.
const MOST_CALLS: u64 = 1 << 24;

/// The maximum number of inputs that are prepared at a time.
const MOST_INPUTS: u64 = 1 << 10;

/// Calls a method this many times and returns the times that they took.
pub(crate) type Runner<'m> = Box<dyn FnMut(u64) -> Lap + 'm>;

/// Returns a runner of calls that need no input.
pub(crate) fn calls<'m, R>(clocks: impl Clocks + 'm, mut run: impl FnMut() -> R + 'm) -> Runner<'m> {
    Box::new(move |calls| {
        Lap::measure(&clocks, || {
            for _ in 0..calls {
                black_box(run());
            }
        })
    })
}

/// Returns a runner that prepares an input for every call, which is not timed.
pub(crate) fn calls_with_inputs<'m, T, R>(
    clocks: impl Clocks + 'm,
    prepare: impl Fn() -> T + 'm,
    run: impl Fn(&mut T) -> R + 'm,
) -> Runner<'m> {
    Box::new(move |calls| {
        let mut elapsed = Lap::default();
        let mut left = calls;
        while left > 0 {
            let batch = left.min(MOST_INPUTS);
            let mut inputs: Vec<T> = (0..batch).map(|_| prepare()).collect();
            elapsed += Lap::measure(&clocks, || {
                for input in &mut inputs {
                    black_box(run(black_box(input)));
                }
            });
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
        let elapsed = run(calls).wall;
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

/// Returns the mean time of a call in nanoseconds, given that of a batch.
pub(crate) fn mean(batch: Duration, calls: u64) -> f64 {
    // A clock can stand still: a time of 0 would be no cost.
    (batch.as_nanos().max(1)) as f64 / calls as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::clock::known::Known;

    #[test]
    fn batches_are_long_enough_and_warm_up_ends() {
        let mut slept = 0_u64;
        let mut run: Runner<'_> = Box::new(|calls| {
            slept += calls;
            Lap::of(Duration::from_micros(10) * calls as u32)
        });
        let calls = warm_up(&mut run, WARM_UP);
        assert_eq!(calls, 128, "100 calls take a millisecond");
        assert_eq!(mean(run(calls).wall, calls), 10_000.0);
        drop(run);
        assert!(slept >= 300);
        // A clock that stands still, and a method that takes long.
        assert_eq!(warm_up(&mut (Box::new(|_| Lap::of(BATCH)) as Runner<'_>), Duration::ZERO), 1);
        let mut still: Runner<'_> = Box::new(|_| Lap::default());
        assert_eq!(warm_up(&mut still, Duration::ZERO), MOST_CALLS);
        assert!(mean(still(1).wall, 1) > 0.0);
    }

    #[test]
    fn every_call_has_an_input_of_its_own() {
        let calls = std::cell::Cell::new(0);
        let run = |input: &mut Vec<u32>| {
            assert!(input.is_empty());
            input.push(1);
            calls.set(calls.get() + 1);
        };
        let clocks = Known::default();
        let prepare = || {
            clocks.pass(5, 5, Some(0));
            Vec::new()
        };
        let run = |input: &mut Vec<u32>| {
            run(input);
            clocks.pass(2, 1, Some(1));
        };
        let lap = calls_with_inputs(&clocks, prepare, run)(3000);
        assert_eq!(calls.get(), 3000);
        assert_eq!((lap.wall.as_millis(), lap.by(Clock::Processor).as_millis()), (6000, 3000));
        assert_eq!(lap.share_without_processor(), 0.5, "and preparing is not timed");
    }
}
