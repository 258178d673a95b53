//! Fixed-point numbers, whose sums do not depend on the order of addition.
//!
//! Sums of `f64` differ in their last digits with the order in which they are added, so equal sums would compare as different. Costs
//! are therefore counted in a decimal unit that is small enough to lose nothing that was measured, and large enough that every sum is a whole
//! number below 2^53: `f64` adds these exactly, at its usual speed. The unit is decimal because measurements are: 1.11 + 2.22 and
//! 1.10 + 2.23 are equal sums, although the nearest `f64` of the four numbers are not.

/// The maximum number of units of a sum. A number that was rounded twice, by 2^-53 of itself each time, is then still less than
/// half a unit off.
const MOST: f64 = (1_u64 << 50) as f64;

/// The rounding errors of a percentage, in per cent: a quotient of two costs has 16 digits.
pub(crate) const OF_PERCENT: f64 = 1e-12;

/// Sums that differ by less than this share may be equal: the rounding errors of adding 2^20 numbers are smaller.
pub(crate) const NEAR: f64 = 1e-9;

/// The range of exponents, which includes those of all costs.
const EXPONENTS: std::ops::RangeInclusive<i32> = -300..=300;

/// A unit: a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Units {
    /// The number of decimals; negative for units above 1.
    decimals: i32,
    /// Ten to the power of the decimals, without their sign.
    power: f64,
}

impl Units {
    /// Creates the smallest unit of at least `finest` in which sums up to `most` are exact.
    pub(crate) fn for_sums(most: f64, finest: f64) -> Self {
        let decimals = |value: f64| {
            // The logarithm of infinity or of zero is at an end of the range, too.
            value.log10().floor().clamp(f64::from(*EXPONENTS.start()), f64::from(*EXPONENTS.end())) as i32
        };
        let most = most.min(1e300);
        let mut unit = Self::with(decimals(MOST / most).min(decimals(1.0 / finest)));
        // The logarithm is rounded.
        while unit.count(most) > MOST {
            unit = Self::with(unit.decimals - 1);
        }
        unit
    }

    fn with(decimals: i32) -> Self {
        // Read and not computed: powers up to 10^22 are exact, and all others are the nearest on every platform.
        let power = format!("1e{}", decimals.abs()).parse().unwrap_or(f64::INFINITY);
        Self { decimals, power }
    }

    /// Returns the number of units nearest to a value. An infinite value stays infinite.
    pub(crate) fn count(self, value: f64) -> f64 {
        if self.decimals < 0 { (value / self.power).round() } else { (value * self.power).round() }
    }
}

/// Returns the positions of the smallest of several sums. `sums` may be rounded; `exact` returns a sum in units, for those that are near
/// the smallest. `finest` is the smallest difference of a term that counts.
pub(crate) fn smallest(sums: &[f64], finest: f64, exact: impl Fn(usize, Units) -> f64) -> Vec<usize> {
    let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
    let near = |sum: f64| sum == least || sum <= least + NEAR * least.abs();
    let near: Vec<usize> = (0..sums.len()).filter(|&place| near(sums[place])).collect();
    // Sums of zeros are exact.
    if near.len() == 1 || !least.is_finite() || least == 0.0 {
        return near;
    }
    let most = near.iter().map(|&place| sums[place].abs()).fold(0.0, f64::max);
    let units = Units::for_sums(most * (1.0 + NEAR), finest);
    let counted: Vec<f64> = near.iter().map(|&place| exact(place, units)).collect();
    let least = counted.iter().copied().fold(f64::INFINITY, f64::min);
    near.into_iter().zip(counted).filter(|(_, count)| *count == least).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hundredths, as costs are printed: 2807 of them in three ways, of which `f64` makes two sums.
    #[test]
    fn equal_sums_of_decimals_are_equal_in_any_order() {
        let ways: [&[f64]; 3] =
            [&[2.37, 6.82, 9.67, 9.21], &[9.21, 9.67, 6.82, 2.37], &[2.38, 6.81, 9.67, 9.21]];
        let rounded: Vec<f64> = ways.iter().map(|way| way.iter().sum()).collect();
        assert!(rounded.iter().any(|sum| *sum != rounded[0]), "the example needs rounding: {rounded:?}");
        let exact =
            |place: usize, units: Units| ways[place].iter().map(|&cost| units.count(cost)).sum::<f64>();
        assert_eq!(smallest(&rounded, 0.0, exact), [0, 1, 2]);
        let units = Units::for_sums(100.0, 0.0);
        assert_eq!(exact(0, units), units.count(28.07));
    }

    #[test]
    fn a_smaller_sum_is_found_however_near_it_is() {
        let ways = [[1.0, 2.0 + 1e-12], [1.0, 2.0]];
        let rounded: Vec<f64> = ways.iter().map(|way| way.iter().sum()).collect();
        let exact =
            |place: usize, units: Units| ways[place].iter().map(|&cost| units.count(cost)).sum::<f64>();
        assert_eq!(smallest(&rounded, 0.0, exact), [1]);
        // Below the precision of the terms they are equal.
        assert_eq!(smallest(&rounded, 1e-9, exact), [0, 1]);
    }

    #[test]
    fn sums_up_to_the_most_are_exact() {
        for most in [1e-100, 1e-9, 0.05, 1.0, 999.0, 1e9, 1e15, 1e16, 1e100, 1e250] {
            let units = Units::for_sums(most, 0.0);
            let count = units.count(most);
            assert!(count <= MOST && count > MOST / 20.0, "{most}: {count}");
            let third = units.count(most / 3.0);
            assert_eq!((third + third) + third, third + (third + third));
        }
        assert_eq!(Units::for_sums(0.0, 0.0).count(0.0), 0.0);
        assert_eq!(Units::for_sums(1.0, 0.01).count(0.126), 13.0);
        assert_eq!(Units::for_sums(1.0, 0.0).count(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn nothing_is_smaller_than_sums_that_are_all_infinite() {
        assert_eq!(smallest(&[f64::INFINITY; 2], 0.0, |_, _| unreachable!()), [0, 1]);
        assert_eq!(smallest(&[f64::INFINITY, 2.0], 0.0, |_, _| unreachable!()), [1]);
        assert_eq!(smallest(&[], 0.0, |_, _| unreachable!()), [0_usize; 0]);
    }
}
