//! What is to be known of an MPI library.

use std::fmt;

use qtdec_core::Requirement;

/// An MPI library, and how its algorithms are forced.
pub trait Library: fmt::Debug + Sync {
    /// What `--mpi` calls it.
    fn name(&self) -> &'static str;

    /// What people call it, with the version that the algorithms are of.
    fn title(&self) -> &'static str;

    /// The collectives whose algorithms are known.
    fn collectives(&self) -> Vec<&'static str>;

    /// The algorithms of a collective; none for one that is not known.
    fn algorithms(&self, collective: &str) -> &'static [Algorithm];

    /// The algorithms that are not measured though every release has them.
    fn left_out(&self) -> &'static [LeftOut];

    /// Environment variables that keep other parts of the library from serving the call instead, `NAME=VALUE`.
    fn switches(&self) -> &'static [&'static str];

    /// Environment variables that force an algorithm, `NAME=VALUE`.
    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String>;
}

/// Algorithms that are not measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// The collective.
    pub collective: &'static str,
    /// The algorithm's name in the library; `None` for all of the collective.
    pub algorithm: Option<&'static str>,
    /// The reason.
    pub why: &'static str,
}

/// An algorithm of a collective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algorithm {
    /// Its name in the library.
    pub name: &'static str,
    /// Its number in the library, where algorithms have one.
    pub id: u32,
    /// Whether it cuts messages into segments.
    pub segments: Segments,
    /// Without which it does not run, or another one runs in its place.
    pub needs: &'static [Need],
}

/// Whether an algorithm cuts messages into segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segments {
    /// Never.
    None,
    /// Where a segment size is given.
    Any,
    /// It does nothing else, and needs a segment for each rank.
    Needed,
}

/// What an algorithm needs.
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl Need {
    /// Whether a number of ranks meets it.
    pub fn holds(self, ranks: u64) -> bool {
        match self {
            Self::PowerOfTwo => ranks.is_power_of_two(),
            Self::Even => ranks.is_multiple_of(2),
            Self::TwoRanks => ranks == 2,
            Self::CountAtLeastCommSize | Self::Commutative => true,
        }
    }

    /// The shell function of a script that tells whether a number of ranks meets it.
    pub(super) fn guard(self) -> Option<&'static str> {
        match self {
            Self::PowerOfTwo => Some("is_power_of_two"),
            Self::Even => Some("is_even"),
            Self::TwoRanks => Some("is_two"),
            Self::CountAtLeastCommSize | Self::Commutative => None,
        }
    }

    /// What a map says of it; that a number is even it cannot say.
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
