//! Interleaved rounds, and statistics of their times.

use std::hint::black_box;
use std::time::Instant;

/// A function that decides all queries once and returns the nanoseconds per decision, for independent decisions.
pub type Round<'r> = Box<dyn FnMut() -> f64 + 'r>;

/// Returns the times of a number of rounds of each. They take turns, beginning with another one each time, so that a lasting
/// disturbance affects all of them equally.
pub fn interleave(all: &mut [Round<'_>], rounds: usize) -> Vec<Vec<f64>> {
    let mut times = vec![Vec::with_capacity(rounds); all.len()];
    for round in 0..rounds {
        for turn in 0..all.len() {
            let index = (turn + round) % all.len();
            times[index].push(all[index]());
        }
    }
    times
}

/// Times the decisions of one round.
pub(super) fn nanoseconds<Q>(queries: &[Q], decide: impl Fn(&Q) -> u64) -> f64 {
    let start = Instant::now();
    let sum = queries.iter().fold(0_u64, |sum, query| sum.wrapping_add(decide(query)));
    black_box(sum);
    start.elapsed().as_nanos() as f64 / queries.len() as f64
}

/// The ratio of the times of two things: over all rounds the median, and the first and the last decile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The first decile.
    pub low: f64,
    /// The last decile.
    pub high: f64,
}

impl Spread {
    /// Returns the ratios of times to those of another thing in the same rounds.
    pub fn from_ratios(times: &[f64], to: &[f64]) -> Self {
        let ratios = sorted(times.iter().zip(to).map(|(time, to)| time / to).collect());
        let at = |tenths: usize| ratios[(ratios.len() - 1) * tenths / 10];
        Self { median: at(5), low: at(1), high: at(9) }
    }
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_take_turns_and_begin_in_turn() {
        let order = std::cell::RefCell::new(Vec::new());
        let round = |name: &'static str| -> Round<'_> {
            let order = &order;
            Box::new(move || {
                order.borrow_mut().push(name);
                order.borrow().len() as f64
            })
        };
        let times = interleave(&mut [round("a"), round("b")], 3);
        assert_eq!(*order.borrow(), ["a", "b", "b", "a", "a", "b"]);
        assert_eq!(times, [[1.0, 4.0, 5.0], [2.0, 3.0, 6.0]]);
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        let to: Vec<f64> = (1..=11).map(f64::from).collect();
        let times: Vec<f64> = to.iter().map(|time| time * time).rev().collect();
        let spread = Spread::from_ratios(&to, &to);
        assert_eq!((spread.low, spread.median, spread.high), (1.0, 1.0, 1.0));
        let spread = Spread::from_ratios(&times, &times.iter().map(|_| 2.0).collect::<Vec<_>>());
        assert_eq!((spread.low, spread.median, spread.high), (2.0, 18.0, 50.0));
    }
}
