//! The borders between samples.

use crate::listing::one_of;

/// The rule for the border between two neighbouring samples, the smallest size that belongs to the upper one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Borders {
    /// At the upper sample: a size belongs to the largest sample that is not above it.
    #[default]
    Floor,
    /// Halfway: a size belongs to the nearer sample, or to the lower one if both are equally near.
    Arithmetic,
    /// Halfway on a logarithmic axis.
    Geometric,
    /// At the lower sample: a size belongs to the smallest sample that is not below it. These are the borders of C4.5, whose tests
    /// read `<= lower`.
    Ceiling,
}

impl Borders {
    /// All rules, with their names in options and files.
    pub const ALL: [(&'static str, Self); 4] = [
        ("floor", Self::Floor),
        ("arithmetic", Self::Arithmetic),
        ("geometric", Self::Geometric),
        ("ceiling", Self::Ceiling),
    ];

    /// Parses the name in options and files.
    ///
    /// ```
    /// use qtdec_core::Borders;
    /// assert_eq!(Borders::parse("geometric"), Ok(Borders::Geometric));
    /// assert_eq!(Borders::parse("round").unwrap_err(), "one of `floor`, `arithmetic`, `geometric` and `ceiling`");
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
        match self {
            Self::Floor => "floor",
            Self::Arithmetic => "arithmetic",
            Self::Geometric => "geometric",
            Self::Ceiling => "ceiling",
        }
    }

    /// Returns the smallest size above `lower` that belongs to `upper`, where `lower < upper`.
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
            Self::Geometric => {
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
