//! What is known of one algorithm.

use std::fmt;

use qtdec_core::Requirement;

use super::Release;

/// One algorithm of a library, for one collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// The name that the library has for it.
    pub name: &'static str,
    /// The names that others have for it, in `snake_case`.
    pub aliases: &'static [&'static str],
    /// The number in files and parameters, where the library has such.
    pub number: Option<u64>,
    /// Whether it cuts messages into segments.
    pub segments: Segments,
    /// The conditions under which it runs.
    pub needs: &'static [Need],
    /// What happens in a call that does not meet them.
    pub unmet: Unmet,
    /// The first release that has it, where that is not the oldest one described here.
    pub since: Option<Release>,
    /// The first release that has it no more.
    pub until: Option<Release>,
    /// Whether job scripts measure it.
    pub measured: Measured,
    /// A fault that whoever forces the algorithm is warned of: a predicate, such as `corrupts data if …`.
    pub caution: Option<&'static str>,
    /// The same of a fault that it has where messages are cut into segments.
    pub segment_caution: Option<&'static str>,
}

/// Whether an algorithm cuts messages into segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// Never: a segment size is not there, or not looked at.
    Ignored,
    /// Where a segment size is given.
    Optional,
    /// Always; it needs a segment for each rank.
    Needed,
}

/// A condition on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A number of ranks that is a power of two.
    PowerOfTwo,
    /// An even number of ranks.
    Even,
    /// Two ranks.
    TwoRanks,
    /// At least as many elements as ranks.
    CountAtLeastCommSize,
    /// A commutative operation.
    Commutative,
}

/// What happens in a call that does not meet the needs of the algorithm that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// Another algorithm runs, without a word, or a guard in the rules can choose another.
    Substituted,
    /// The call fails.
    Fails,
}

/// Whether job scripts measure an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Under the library's name for it.
    ByName,
    /// Under another name, where the library's own means something else in a map.
    As(&'static str),
    /// Not at all, for this reason.
    No(&'static str),
}

/// Why a release lacks an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// This release is the first that has it.
    Before(Release),
    /// This release is the first without it.
    From(Release),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(release) => write!(f, "{release} is the first release that has it"),
            Self::From(release) => write!(f, "{release} is the first release without it"),
        }
    }
}

impl Need {
    /// Returns whether a number of ranks meets it.
    pub fn holds(self, ranks: u64) -> bool {
        match self {
            Self::PowerOfTwo => ranks.is_power_of_two(),
            Self::Even => ranks.is_multiple_of(2),
            Self::TwoRanks => ranks == 2,
            Self::CountAtLeastCommSize | Self::Commutative => true,
        }
    }

    /// Returns the same as a map says it; a map cannot say that a number is even.
    pub fn requirement(self) -> Option<Requirement> {
        match self {
            Self::PowerOfTwo => Some(Requirement::PowerOfTwo),
            Self::Even => None,
            Self::TwoRanks => Some(Requirement::CommSize(2)),
            Self::CountAtLeastCommSize => Some(Requirement::CountAtLeastCommSize),
            Self::Commutative => Some(Requirement::Commutative),
        }
    }
}

impl Algorithm {
    /// Returns whether it heeds a segment size.
    pub fn is_segmented(&self) -> bool {
        self.segments != Segments::Ignored
    }

    /// Returns whether a release has the algorithm; `None` stands for one that has every algorithm.
    pub fn is_in(&self, release: Option<Release>) -> bool {
        self.lack(release).is_none()
    }

    /// Returns why a release lacks the algorithm, or `None` if it has it.
    pub fn lack(&self, release: Option<Release>) -> Option<Lack> {
        let release = release?;
        let since = self.since.filter(|since| release < *since).map(Lack::Before);
        since.or_else(|| self.until.filter(|until| release >= *until).map(Lack::From))
    }

    /// Returns the fault that whoever forces the algorithm is warned of, with segments or without.
    pub fn fault(&self, with_segments: bool) -> Option<&'static str> {
        self.caution.or(self.segment_caution.filter(|_| with_segments))
    }

    /// Returns the requirements without which a call fails.
    pub fn requires(&self) -> impl Iterator<Item = Requirement> + use<> {
        let needs = if self.unmet == Unmet::Fails { self.needs } else { &[] };
        needs.iter().filter_map(|need| need.requirement())
    }

    /// Returns the name under which job scripts measure it, or `None` where they do not.
    pub fn measured_name(&self) -> Option<&'static str> {
        match self.measured {
            Measured::ByName => Some(self.name),
            Measured::As(name) => Some(name),
            Measured::No(_) => None,
        }
    }
}

/// How the lists of the libraries are written.
impl Algorithm {
    pub(super) const fn new(name: &'static str, aliases: &'static [&'static str]) -> Self {
        Self {
            name,
            aliases,
            number: None,
            segments: Segments::Ignored,
            needs: &[],
            unmet: Unmet::Substituted,
            since: None,
            until: None,
            measured: Measured::ByName,
            caution: None,
            segment_caution: None,
        }
    }

    pub(super) const fn numbered(number: u64, name: &'static str, aliases: &'static [&'static str]) -> Self {
        Self { number: Some(number), ..Self::new(name, aliases) }
    }

    pub(super) const fn segments(self, segments: Segments) -> Self {
        Self { segments, ..self }
    }

    pub(super) const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn fails_without(self, needs: &'static [Need]) -> Self {
        Self { needs, unmet: Unmet::Fails, ..self }
    }

    pub(super) const fn since(self, major: u16, minor: u16) -> Self {
        Self { since: Some(Release::new(major, minor)), ..self }
    }

    pub(super) const fn until(self, major: u16, minor: u16) -> Self {
        Self { until: Some(Release::new(major, minor)), ..self }
    }

    pub(super) const fn measured_as(self, name: &'static str) -> Self {
        Self { measured: Measured::As(name), ..self }
    }

    pub(super) const fn unmeasured(self, reason: &'static str) -> Self {
        Self { measured: Measured::No(reason), ..self }
    }

    pub(super) const fn caution(self, fault: &'static str) -> Self {
        Self { caution: Some(fault), ..self }
    }

    pub(super) const fn segment_caution(self, fault: &'static str) -> Self {
        Self { segment_caution: Some(fault), ..self }
    }
}
