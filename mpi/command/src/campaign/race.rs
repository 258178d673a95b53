//! Racing: methods that are much slower than the best of their cell are not measured again.
//!
//! The next round depends only on the previous measurements, so a race can be interrupted and resumed at any point.

mod list;
mod replay;

pub use list::{Failed, Line, lines};
pub use replay::{Judged, Replayed, Saved, replay, saved_without_hold_out};

use std::fmt;

use qtdec_core::racing::{STEPS, drop_slow, next_step};

/// A rule that selects the methods of a cell to measure again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// After the [steps](STEPS) of a race, the methods that are not clearly slower than the best one.
    Race,
    /// After 3 repeats, and after each doubling, the half with the lower medians.
    Halving,
    /// All methods, for this number of repeats.
    Fixed(usize),
}

/// The number of repeats of the methods that are left at the end of a race.
const RACED: usize = 10;

/// The first round of halving.
const HALVED_AFTER: usize = 3;

/// The maximum number of repeats with halving.
const MAX: usize = 48;

impl Rule {
    /// Returns the rule with a name, or with a number of repeats.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "factors" => Some(Self::Race),
            "halving" => Some(Self::Halving),
            _ => name.parse().ok().filter(|repeats| (1..=1000).contains(repeats)).map(Self::Fixed),
        }
    }

    /// Returns the maximum number of repeats of a method.
    pub fn most(self) -> u64 {
        match self {
            Self::Race => RACED as u64,
            Self::Halving => MAX as u64,
            Self::Fixed(repeats) => repeats as u64,
        }
    }

    /// Returns the number of repeats up to which each method of a cell should be measured now. Methods that already have as many
    /// are finished, at least until others have caught up.
    ///
    /// `times` are the repeats of each method in the order in which they were measured, `kept` is the method that is never dropped,
    /// and `available` is the number of possible repeats of each.
    pub fn wanted(self, times: &[&[f64]], kept: Option<usize>, available: &[usize]) -> Vec<usize> {
        let mut alive: Vec<usize> = (0..times.len()).filter(|&method| available[method] > 0).collect();
        let mut checkpoint = match self {
            Self::Race => STEPS[0].0,
            Self::Halving => HALVED_AFTER,
            Self::Fixed(repeats) => repeats,
        };
        loop {
            let wanted = |alive: &[usize], repeats: usize| {
                let mut wanted = vec![0; times.len()];
                for &method in alive {
                    wanted[method] = repeats.min(available[method]);
                }
                wanted
            };
            // A single method needs no second repeat.
            if self == Self::Race && alive.len() < 2 && checkpoint > STEPS[0].0 {
                return wanted(&[], 0);
            }
            let is_short = |&method: &usize| times[method].len() < checkpoint.min(available[method]);
            if alive.iter().any(is_short) || matches!(self, Self::Fixed(_)) {
                return wanted(&alive, checkpoint);
            }
            let first = |method: usize| &times[method][..checkpoint.min(times[method].len())];
            let contenders = alive.iter().filter(|&&method| Some(method) != kept).count();
            match self {
                Self::Race => {
                    if checkpoint >= RACED {
                        return wanted(&alive, checkpoint);
                    }
                    let times: Vec<&[f64]> = (0..times.len()).map(first).collect();
                    let mut running = vec![false; times.len()];
                    for &method in &alive {
                        running[method] = true;
                    }
                    drop_slow(&times, &mut running, checkpoint);
                    alive.retain(|&method| Some(method) == kept || running[method]);
                    checkpoint = next_step(checkpoint).unwrap_or(RACED);
                }
                Self::Halving => {
                    if contenders <= 1 || checkpoint >= MAX {
                        return wanted(&alive, checkpoint);
                    }
                    alive.sort_by(|a, b| median(first(*a)).total_cmp(&median(first(*b))));
                    let half = alive.len().div_ceil(2);
                    let dropped = alive.split_off(half);
                    alive.extend(dropped.into_iter().filter(|&method| Some(method) == kept));
                    checkpoint = (2 * checkpoint).min(MAX);
                }
                Self::Fixed(_) => return wanted(&alive, checkpoint),
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Race => f.write_str("factors"),
            Self::Halving => f.write_str("halving"),
            Self::Fixed(repeats) => repeats.fmt(f),
        }
    }
}

/// Returns the median, or infinity if there are no times.
fn median(times: &[f64]) -> f64 {
    qtdec_core::median(times).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: [usize; 3] = [usize::MAX; 3];

    #[test]
    fn a_race_drops_by_the_fastest_repeat() {
        let wanted = |times: [&[f64]; 3], kept| Rule::Race.wanted(&times, kept, &ANY);
        assert_eq!(wanted([&[], &[], &[]], None), [1, 1, 1], "each once");
        assert_eq!(wanted([&[1.0], &[], &[2.1]], None), [1, 1, 1], "not before all are there");
        // The third is slower by more than 2, and so is the default, which stays.
        assert_eq!(wanted([&[1.0], &[2.0], &[2.1]], None), [2, 2, 0]);
        assert_eq!(wanted([&[1.0], &[2.0], &[2.1]], Some(2)), [2, 2, 2]);
        // One fast repeat is enough to stay.
        assert_eq!(wanted([&[1.0, 1.0], &[1.4, 9.0], &[1.6, 1.6]], None), [3, 3, 0]);
        let slow = [1.15; 5];
        assert_eq!(wanted([&[1.0; 5], &slow, &[1.05; 5]], None), [10, 0, 10]);
        assert_eq!(
            wanted([&[1.0; 10], &slow, &[1.05; 10]], None),
            [10, 0, 10],
            "it is over: every method has enough repeats"
        );
        // A single method needs no second repeat.
        assert_eq!(wanted([&[1.0], &[9.0], &[9.0]], None), [0, 0, 0]);
        let alone = |times: &[f64]| Rule::Race.wanted(&[times, &[], &[]], None, &[9, 0, 0]);
        assert_eq!((alone(&[]), alone(&[1.0])), (vec![1, 0, 0], vec![0, 0, 0]));
    }

    #[test]
    fn halving_keeps_the_faster_half_and_the_default() {
        let times: [&[f64]; 3] = [&[1.0; 3], &[2.0; 3], &[3.0; 3]];
        assert_eq!(Rule::Halving.wanted(&[&[], &[], &[]], None, &ANY), [3, 3, 3]);
        assert_eq!(Rule::Halving.wanted(&times, None, &ANY), [6, 6, 0]);
        assert_eq!(Rule::Halving.wanted(&times, Some(2), &ANY), [6, 6, 6]);
    }

    #[test]
    fn what_an_archive_lacks_is_not_waited_for() {
        let times: [&[f64]; 3] = [&[1.0], &[1.1], &[]];
        assert_eq!(Rule::Race.wanted(&times, None, &[1, 5, 0]), [1, 2, 0]);
        assert_eq!(Rule::Fixed(3).wanted(&times, None, &[1, 5, 0]), [1, 3, 0]);
    }
}
