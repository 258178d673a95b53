//! The size at which the methods on both sides of a gap cross.

use std::f64::consts::{LN_2, SQRT_2};

/// By how much the lower side's methods are slower than the upper side's at the samples around a gap, summed over rows of cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crossing {
    rows: u64,
    /// The sum of ln(t\[A\] / t\[B\]) at the lower sample, where A is the method of the lower side and B that of the upper one.
    at_lower: f64,
    /// The same sum at the upper sample.
    at_upper: f64,
}

impl Crossing {
    /// Adds a row with the times of A and B at the lower and at the upper sample.
    pub(crate) fn add(&mut self, lower: [f64; 2], upper: [f64; 2]) {
        self.rows += 1;
        self.at_lower += log_ratio(lower);
        self.at_upper += log_ratio(upper);
    }

    /// Returns the least size of the upper side between two samples; `None` if the times do not tell.
    pub(crate) fn between(&self, lower: u64, upper: u64) -> Option<u64> {
        if self.rows == 0 || lower == 0 {
            return None;
        }
        if self.at_lower < 0.0 && self.at_upper >= 0.0 {
            return Some(self.root(lower, upper));
        }
        Some(if self.at_lower + self.at_upper >= 0.0 { lower + 1 } else { upper })
    }

    /// Returns the least size at which the interpolated sum, which rises, is not below 0.
    fn root(&self, lower: u64, upper: u64) -> u64 {
        let (mut below, mut reached) = (lower, upper);
        while reached - below > 1 {
            let middle = below + (reached - below) / 2;
            // This is the interpolated sum times ln(upper / lower), which needs no division by it.
            let sum =
                self.at_lower * log_of_ratio(middle, upper) + self.at_upper * log_of_ratio(lower, middle);
            if sum < 0.0 {
                below = middle;
            } else {
                reached = middle;
            }
        }
        reached
    }
}

/// Returns ln(t\[A\] / t\[B\]).
fn log_ratio([lower, upper]: [f64; 2]) -> f64 {
    if lower < upper {
        -log_of_quotient(upper, lower, upper - lower)
    } else {
        log_of_quotient(lower, upper, lower - upper)
    }
}

/// Returns ln(larger / smaller), precise also for sizes next to each other.
fn log_of_ratio(smaller: u64, larger: u64) -> f64 {
    log_of_quotient(larger as f64, smaller as f64, (larger - smaller) as f64)
}

/// Returns ln(larger / smaller) of numbers with this difference. Times and sizes share it, so that a sum that is 0 has no rounding error.
fn log_of_quotient(larger: f64, smaller: f64, difference: f64) -> f64 {
    let ratio = larger / smaller;
    if ratio < SQRT_2 { twice_atanh(difference / (larger + smaller)) } else { log(ratio) }
}

/// Returns ln(ratio) for ratios of at least 1. The logarithms of the standard library differ between hosts, and a tree must not: this one
/// has only operations that IEEE 754 defines to the last digit.
fn log(mut ratio: f64) -> f64 {
    if !ratio.is_finite() {
        return ratio;
    }
    let mut doublings = 0;
    while ratio > SQRT_2 {
        ratio /= 2.0;
        doublings += 1;
    }
    f64::from(doublings) * LN_2 + twice_atanh((ratio - 1.0) / (ratio + 1.0))
}

/// Returns 2 artanh(x), which is ln((1 + x) / (1 - x)), for x of at most 0.172: the power series up to x^25.
fn twice_atanh(x: f64) -> f64 {
    let terms = (0..=12).rev().map(|power| 1.0 / f64::from(2 * power + 1));
    2.0 * x * terms.fold(0.0, |sum, term| sum * x * x + term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borders::Borders;

    fn crossing(rows: &[[[f64; 2]; 2]]) -> Crossing {
        let mut crossing = Crossing::default();
        for [lower, upper] in rows {
            crossing.add(*lower, *upper);
        }
        crossing
    }

    /// Returns the least whole size by the definition, from all of them; `None` if the sum never reaches 0.
    fn least(rows: &[[[f64; 2]; 2]], lower: u64, upper: u64) -> Option<u64> {
        let of_row = |&[at_lower, at_upper]: &[[f64; 2]; 2], share: f64| {
            let time = |method: usize| (1.0 - share) * at_lower[method].ln() + share * at_upper[method].ln();
            time(0) - time(1)
        };
        (lower + 1..=upper).find(|&size| {
            let share = (size as f64 / lower as f64).ln() / (upper as f64 / lower as f64).ln();
            // Other logarithms may round otherwise exactly at the root.
            rows.iter().map(|row| of_row(row, share)).sum::<f64>() >= -1e-12
        })
    }

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        let is_near =
            |found: f64, expected: f64| (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs();
        for power in -1022..=1023 {
            for share in [1.0, 1.1, 1.37, SQRT_2, 1.5, 1.99] {
                let time = share * f64::from(power).exp2();
                let (found, expected) = (log_ratio([time, 1.0]), time.ln());
                assert!(is_near(found, expected), "{time}: {found} {expected}");
                assert_eq!(log_ratio([1.0, time]), -found);
            }
        }
        for (smaller, larger) in
            [(1, 1), (1, 2), (3, 4), (1_000_000, 1_000_001), (7, u64::MAX), (u64::MAX / 2, u64::MAX)]
        {
            let expected = ((larger - smaller) as f64 / smaller as f64).ln_1p();
            assert!(is_near(log_of_ratio(smaller, larger), expected), "{smaller} {larger}");
        }
        assert_eq!([[0.0, 1.0], [1.0, 0.0]].map(log_ratio), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    #[test]
    fn the_border_at_a_sample_of_two_ratios_is_exact() {
        for (lower, upper) in [(1, 64), (2, 64), (3, 1000), (7, 12_345)] {
            for border in lower + 1..upper.min(200) {
                let [flat, lower_time, upper_time] = [border, lower, upper].map(|size| size as f64);
                let found = crossing(&[[[lower_time, flat], [upper_time, flat]]]).between(lower, upper);
                assert_eq!(found, Some(border), "{lower} {upper}");
            }
        }
    }

    #[test]
    fn methods_that_cross_halfway_have_the_geometric_border() {
        for (lower, upper) in [(1024, 4096), (1, 3), (3, 50), (7, 9), (1000, 1001)] {
            let border = crossing(&[[[1.0, 2.0], [2.0, 1.0]]]).between(lower, upper);
            assert_eq!(border, Some(Borders::Geometric.between(lower, upper)), "{lower} {upper}");
        }
    }

    #[test]
    fn the_border_is_the_least_size_at_which_the_sum_reaches_zero() {
        let ratios = [0.31, 0.5, 0.8, 0.97, 1.0, 1.1, 1.7, 4.0];
        for (first, second) in ratios.iter().flat_map(|one| ratios.map(|other| (*one, other))) {
            for (third, fourth) in ratios.iter().flat_map(|one| ratios.map(|other| (*one, other))) {
                let rows = [[[first, 1.0], [second, 1.0]], [[3.0 * third, 3.0], [2.0 * fourth, 2.0]]];
                let found = crossing(&rows);
                for (lower, upper) in [(1, 2), (3, 50), (1024, 2048)] {
                    let border = found.between(lower, upper).unwrap();
                    assert!(lower < border && border <= upper);
                    if first * third < 0.999 && second * fourth > 1.001 {
                        assert_eq!(Some(border), least(&rows, lower, upper), "{rows:?} {lower} {upper}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_a_crossing_the_side_that_costs_less_takes_the_gap() {
        let between = |lower: [f64; 2], upper: [f64; 2]| crossing(&[[lower, upper]]).between(16, 64).unwrap();
        assert_eq!(between([1.0, 2.0], [1.0, 3.0]), 64, "the lower side is faster at both samples");
        assert_eq!(between([2.0, 1.0], [3.0, 1.0]), 17, "the upper side is faster at both samples");
        assert_eq!(between([3.0, 1.0], [1.0, 2.0]), 17, "a falling sum, the upper side saves more");
        assert_eq!(between([2.0, 1.0], [1.0, 3.0]), 64, "a falling sum, the lower side saves more");
        assert_eq!(between([1.0, 1.0], [2.0, 2.0]), 17, "equal times");
        assert_eq!(between([1.0, 2.0], [2.0, 2.0]), 64, "equal at the upper sample only");
        assert_eq!(between([2.0, 2.0], [2.0, 1.0]), 17, "equal at the lower sample only");
    }

    #[test]
    fn nothing_is_known_without_rows_and_next_to_zero() {
        assert_eq!(Crossing::default().between(16, 64), None);
        assert_eq!(crossing(&[[[1.0, 2.0], [2.0, 1.0]]]).between(0, 64), None);
    }

    #[test]
    fn the_largest_sizes_have_a_border_between_them() {
        let border = crossing(&[[[1.0, 1e100], [2.0, 1.0]]]);
        for (lower, upper) in [(1, u64::MAX), (u64::MAX - 1, u64::MAX), (u64::MAX - 9, u64::MAX)] {
            let border = border.between(lower, upper).unwrap();
            assert!(lower < border && border <= upper, "{border}");
        }
    }
}
