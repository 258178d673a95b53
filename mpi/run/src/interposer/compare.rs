//! Results compared with those of the library.

/// How numbers are compared, as `c/check.c` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// By their bytes.
    Exact,
    /// As `f32`, or as `f64`. Sums and products of other orders differ by rounding.
    Single,
    Double,
}

impl Kind {
    /// Returns the kind by the bytes of a floating-point number, or 0.
    pub(super) fn from_width(width: i32) -> Self {
        match width {
            4 => Self::Single,
            8 => Self::Double,
            _ => Self::Exact,
        }
    }

    fn numbers(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Self::Exact => Vec::new(),
            Self::Single => {
                bytes.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes).into()).collect()
            }
            Self::Double => bytes.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect(),
        }
    }

    /// Returns the largest absolute value of finite numbers.
    pub(super) fn largest(self, bytes: &[u8]) -> f64 {
        let finite = self.numbers(bytes).into_iter().map(f64::abs).filter(|number| number.is_finite());
        finite.fold(0.0, f64::max)
    }

    /// Returns whether a result agrees with that of the library, where `largest` is the largest absolute value of any rank's numbers.
    ///
    /// A sum of p numbers in another order differs by at most 2·p·ε·p·largest, and a product by 2·p·ε of itself; the sum of both is
    /// accepted.
    pub(super) fn agrees(self, ours: &[u8], library: &[u8], ranks: u32, largest: f64) -> bool {
        if ours == library {
            return true;
        }
        let epsilon = if self == Self::Single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let factor = 2.0 * f64::from(ranks) * epsilon;
        let near = |(ours, library): (f64, f64)| {
            let tolerance = factor * (f64::from(ranks) * largest + library.abs());
            ours == library || (ours.is_nan() && library.is_nan()) || (ours - library).abs() <= tolerance
        };
        self != Self::Exact && self.numbers(ours).into_iter().zip(self.numbers(library)).all(near)
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn only_rounding_is_accepted() {
        let bytes = |number: f64| number.to_ne_bytes();
        let agrees = |one, other| Kind::Double.agrees(&bytes(one), &bytes(other), 4, 1.0);
        assert!(agrees(1.0, 1.0 + f64::EPSILON) && agrees(f64::NAN, -f64::NAN));
        assert!(
            !agrees(1.0, 1.0 + 50.0 * f64::EPSILON) && !agrees(1.0, f64::NAN) && !agrees(f64::INFINITY, 1.0)
        );
        assert!(!Kind::Exact.agrees(&bytes(1.0), &bytes(1.0 + f64::EPSILON), 4, 1.0));
        assert_eq!(Kind::Double.largest(&[bytes(-3.0), bytes(f64::INFINITY)].concat()), 3.0);
    }
}
