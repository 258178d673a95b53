//! The borders between samples.

mod crossing;

pub(crate) use crossing::Crossing;

use crate::listing::{name_of, one_of};

/// The rule for the border between two neighbouring samples, the smallest size that belongs to the upper one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Borders {
    /// At the upper sample: a size belongs to the largest sample that is not above it.
    Floor,
    /// Halfway: a size belongs to the nearer sample, or to the lower one if both are equally near.
    Arithmetic,
    /// Halfway on a logarithmic axis.
    Geometric,
    /// At the lower sample: a size belongs to the smallest sample that is not below it. These are the borders of C4.5, whose tests
    /// read `<= lower`.
    Ceiling,
    /// Where the times of the methods on both sides cross, one border for each axis and gap.
    ///
    /// Let A be the answer of a tree at the lower sample s₀ and B the one at the upper sample s₁, in every row of cells along the
    /// axis in which they differ. The times are interpolated between the samples, linear in the logarithms of size and time. The border
    /// is the least whole size in (s₀, s₁] at which the sum of ln(t\[A\] / t\[B\]) over all rows is 0 or more, that is, at which A is
    /// no longer faster on the whole. Where the sum does not rise from below 0 to 0 or more, the border is at the end at which the
    /// sum over the gap is lower: just above s₀ if ln(t\[A\] / t\[B\]), added over both samples, is 0 or more, and at s₁ otherwise.
    ///
    /// A row counts if both methods have times at both samples. Rows that hold the same answer twice, or none on one side, do not count,
    /// and methods of equal times add 0. A method counts as measured wherever it has times, also where its requirements fail.
    /// Without any row, and where s₀ is 0, which has no logarithm, the border is the geometric one. Labels have no sizes between them.
    ///
    /// The samples of a map without times are sizes from which on somebody decided otherwise, as those of a hand-written rule are, and
    /// times that were fitted to terms step at samples. Both have their borders at the upper sample.
    #[default]
    Crossing,
}

impl Borders {
    /// All rules, with their names in options and files.
    pub const ALL: [(&'static str, Self); 5] = [
        ("floor", Self::Floor),
        ("arithmetic", Self::Arithmetic),
        ("geometric", Self::Geometric),
        ("ceiling", Self::Ceiling),
        ("crossing", Self::Crossing),
    ];

    /// Parses the name in options and files.
    ///
    /// ```
    /// use qtdec_core::Borders;
    /// assert_eq!(Borders::parse("geometric"), Ok(Borders::Geometric));
    /// let expected = "one of `floor`, `arithmetic`, `geometric`, `ceiling` and `crossing`";
    /// assert_eq!(Borders::parse("round").unwrap_err(), expected);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a description of the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        one_of(name, &Self::ALL)
    }

    /// Returns the name in options and files.
    pub fn name(self) -> &'static str {
        name_of(&self, &Self::ALL)
    }

    /// Returns the smallest size above `lower` that belongs to `upper`, where `lower < upper`. Where no times tell, methods cross
    /// at the geometric border.
    ///
    /// ```
    /// use qtdec_core::Borders;
    /// assert_eq!(Borders::Floor.between(1024, 4096), 4096);
    /// assert_eq!(Borders::Arithmetic.between(1024, 4096), 2560);
    /// assert_eq!(Borders::Geometric.between(1024, 4096), 2048);
    /// assert_eq!(Borders::Ceiling.between(1024, 4096), 1025);
    /// ```
    pub fn between(self, lower: u64, upper: u64) -> u64 {
        match self {
            Self::Floor => upper,
            Self::Arithmetic => lower + (upper - lower).div_ceil(2),
            Self::Geometric | Self::Crossing => {
                let product = u128::from(lower) * u128::from(upper);
                let root = product.isqrt();
                let least = root + u128::from(root * root < product);
                // The value lies between two 64-bit numbers, so it fits 64 bits.
                (least as u64).max(lower + 1)
            }
            Self::Ceiling => lower + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_above_the_lower_sample_and_not_above_the_upper() {
        let pairs =
            [(0, 1), (0, 2), (1, 2), (2, 3), (7, 9), (1000, 1001), (0, u64::MAX), (u64::MAX - 1, u64::MAX)];
        for (lower, upper) in pairs {
            for (name, borders) in Borders::ALL {
                let border = borders.between(lower, upper);
                assert!(lower < border && border <= upper, "{name} of {lower} and {upper} is {border}");
            }
        }
    }

    #[test]
    fn the_geometric_border_is_the_least_whose_square_reaches_the_product() {
        for (lower, upper) in [(1, 3), (3, 50), (1024, 1_048_577), (1 << 40, u64::MAX)] {
            let border = u128::from(Borders::Geometric.between(lower, upper));
            let product = u128::from(lower) * u128::from(upper);
            assert!(border * border >= product && (border - 1) * (border - 1) < product, "{lower} {upper}");
        }
    }
}
