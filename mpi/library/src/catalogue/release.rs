//! Releases of a library.

use std::fmt;
use std::str::FromStr;

/// A release of a library: the first two numbers of its version, which determine the available algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release {
    major: u16,
    minor: u16,
}

impl Release {
    /// Creates a release from its two numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The error of a text that is not a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidRelease;

impl fmt::Display for InvalidRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write the numbers of a release, such as 4.1")
    }
}

impl std::error::Error for InvalidRelease {}

impl FromStr for Release {
    type Err = InvalidRelease;

    /// Parses `4.1`, and also `4.1.4` or `5.0.0rc1`, of which only the first two numbers count.
    fn from_str(text: &str) -> Result<Self, InvalidRelease> {
        let mut parts = text.splitn(3, '.');
        let mut number = || {
            let digits = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).ok_or(InvalidRelease)
        };
        let release = Self { major: number()?, minor: number()? };
        match parts.next() {
            Some(rest) if !rest.starts_with(|first: char| first.is_ascii_digit()) => Err(InvalidRelease),
            _ => Ok(release),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_numbers_count() {
        for (text, expected) in [
            ("4.1", Some((4, 1))),
            ("4.1.4", Some((4, 1))),
            ("5.0.0rc1", Some((5, 0))),
            ("2021.14", Some((2021, 14))),
            ("4", None),
            ("4.", None),
            (".1", None),
            ("v4.1", None),
            ("4.1.", None),
            ("4.-1", None),
            ("4.+1", None),
            ("4.99999", None),
            ("", None),
        ] {
            let expected = expected.map(|(major, minor)| Release::new(major, minor)).ok_or(InvalidRelease);
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn releases_are_ordered_by_their_numbers() {
        assert!(Release::new(4, 9) < Release::new(4, 10));
        assert!(Release::new(4, 10) < Release::new(5, 0));
    }
}
