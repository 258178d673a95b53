//! Releases of a library, and those that have an algorithm or know a function.

use std::fmt;
use std::str::FromStr;

/// A release of a library: the first two numbers of its version, which determine the available algorithms, and the third where it is
/// known. A release whose third number is not known comes before those whose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release {
    major: u16,
    minor: u16,
    patch: Option<u16>,
}

impl Release {
    /// Creates a release from its two numbers.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor, patch: None }
    }

    /// Returns the release with a third number.
    #[must_use]
    pub const fn patch(self, patch: u16) -> Self {
        Self { patch: Some(patch), ..self }
    }

    /// Returns the release by its first two numbers alone.
    #[must_use]
    pub const fn series(self) -> Self {
        Self::new(self.major, self.minor)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        self.patch.map_or(Ok(()), |patch| write!(f, ".{patch}"))
    }
}

impl FromStr for Release {
    type Err = &'static str;

    /// Parses `4.1`, and also `4.1.4` or `5.0.0rc1`, of which only the numbers count.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        const INVALID: &str = "write the numbers of a release, such as 4.1";
        let mut parts = text.splitn(3, '.');
        let mut number = || {
            let digits = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).ok_or(INVALID)
        };
        let release = Self::new(number()?, number()?);
        let Some(rest) = parts.next() else { return Ok(release) };
        let digits = rest.find(|char: char| !char.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
        digits.parse().map(|patch| release.patch(patch)).map_err(|_| INVALID)
    }
}

/// The releases that have something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The first one, if it is not the oldest one described here.
    pub since: Option<Release>,
    /// The first one that no longer has it.
    pub until: Option<Release>,
}

/// The reason why a release lacks something.
///
/// The variants are complete: a release is too old or too new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// This release is the first that has it.
    Before(Release),
    /// This release is the first without it.
    From(Release),
}

impl Lifetime {
    pub(super) const ALL: Self = Self { since: None, until: None };

    pub(super) const fn since(release: Release) -> Self {
        Self { since: Some(release), until: None }
    }

    pub(super) const fn until(release: Release) -> Self {
        Self { since: None, until: Some(release) }
    }

    /// Returns why a release lacks it, or `None` if the release has it. `None` as the release stands for one that has everything.
    pub fn lack(self, release: Option<Release>) -> Option<Lack> {
        let release = release?;
        let since = self.since.filter(|since| release < *since).map(Lack::Before);
        since.or_else(|| self.until.filter(|until| release >= *until).map(Lack::From))
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(release) => write!(f, "{release} is the first release that has it"),
            Self::From(release) => write!(f, "{release} is the first release without it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_count() {
        for (text, expected) in [
            ("4.1", Some((4, 1, None))),
            ("4.1.4", Some((4, 1, Some(4)))),
            ("5.0.0rc1", Some((5, 0, Some(0)))),
            ("5.0.11.dev2", Some((5, 0, Some(11)))),
            ("2021.14", Some((2021, 14, None))),
            ("4", None),
            ("4.", None),
            (".1", None),
            ("v4.1", None),
            ("4.1.", None),
            ("4.-1", None),
            ("4.+1", None),
            ("4.99999", None),
            ("4.1.99999", None),
            ("", None),
        ] {
            let expected = expected.map(|(major, minor, patch)| Release { major, minor, patch });
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_release_is_shown_with_the_numbers_that_are_known() {
        for text in ["4.1", "5.0.7"] {
            assert_eq!(text.parse::<Release>().unwrap().to_string(), text);
        }
        assert_eq!(Release::new(5, 0).patch(7).series(), Release::new(5, 0));
    }

    #[test]
    fn releases_are_ordered_by_their_numbers() {
        assert!(Release::new(4, 9) < Release::new(4, 10));
        assert!(Release::new(4, 10) < Release::new(5, 0));
        assert!(Release::new(4, 1).patch(9) < Release::new(5, 0));
        assert!(Release::new(5, 0) < Release::new(5, 0).patch(0));
        assert!(Release::new(5, 0).patch(9) < Release::new(5, 0).patch(11));
    }
}
