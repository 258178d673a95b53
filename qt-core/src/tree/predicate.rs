//! Properties of sizes that no border separates.

use std::fmt;

/// A property of a size, such as being a power of two, that holds on both sides of every border.
///
/// The variants are complete: code that makes decisions must check each of them, so a new variant would be a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// The size is a power of two.
    PowerOfTwo,
    /// The size is a multiple of this number, which is from 2 to [`MAX_DIVISOR`](Self::MAX_DIVISOR).
    MultipleOf(u8),
}

impl Predicate {
    /// The largest number of which a file can name the multiples: one that every integer type holds.
    pub const MAX_DIVISOR: u8 = 64;

    pub(crate) const TRIED: [Self; 8] = [
        Self::PowerOfTwo,
        Self::MultipleOf(2),
        Self::MultipleOf(3),
        Self::MultipleOf(4),
        Self::MultipleOf(5),
        Self::MultipleOf(6),
        Self::MultipleOf(7),
        Self::MultipleOf(8),
    ];

    /// The forms of predicates in a file.
    pub const FORMS: [&'static str; 3] = ["power_of_two", "even", "multiple_of 3"];

    /// Returns whether the predicate holds for a size. Zero is a multiple of every number, and no power of two.
    ///
    /// ```
    /// use qtdec_core::tree::Predicate;
    ///
    /// assert!(Predicate::PowerOfTwo.holds(64) && !Predicate::PowerOfTwo.holds(0));
    /// assert!(Predicate::MultipleOf(3).holds(0) && !Predicate::MultipleOf(3).holds(64));
    /// ```
    pub fn holds(self, size: u64) -> bool {
        match self {
            Self::PowerOfTwo => size.is_power_of_two(),
            Self::MultipleOf(number) => size.checked_rem(number.into()) == Some(0),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "power_of_two" => Some(Self::PowerOfTwo),
            "even" => Some(Self::MultipleOf(2)),
            _ => {
                let number = text.strip_prefix("multiple_of ")?.parse().ok();
                number.filter(|number| (3..=Self::MAX_DIVISOR).contains(number)).map(Self::MultipleOf)
            }
        }
    }

    /// Returns the sentence that the predicate holds for the size of this name, or that it fails.
    pub fn described(self, name: &str, holds: bool) -> String {
        match self {
            Self::PowerOfTwo => format!("{name} is {} power of two", if holds { "a" } else { "no" }),
            Self::MultipleOf(2) => format!("{name} is {}", if holds { "even" } else { "odd" }),
            Self::MultipleOf(number) => {
                format!("{name} is {} multiple of {number}", if holds { "a" } else { "no" })
            }
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerOfTwo => f.write_str("power_of_two"),
            Self::MultipleOf(2) => f.write_str("even"),
            Self::MultipleOf(number) => write!(f, "multiple_of {number}"),
        }
    }
}
