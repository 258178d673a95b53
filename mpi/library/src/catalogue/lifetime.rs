//! The releases that have an algorithm or know a function.

use std::fmt;

use super::Release;

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
