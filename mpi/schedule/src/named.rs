//! Algorithms by name: those of the list and compositions.

use super::{Algorithm, Collective, Entry, Request, RequestError, TwoLevel, find};

/// An algorithm that a name states.
///
/// The variants are complete: there is a list, and what is composed of it.
#[derive(Clone, Debug)]
pub enum Named {
    /// An algorithm of the list.
    Listed(&'static Entry),
    /// A composition of two, as in `two_level:inter=binomial/8192:intra=linear`.
    Composed(TwoLevel),
}

impl Named {
    /// Returns the algorithm `name` of `collective`.
    ///
    /// ```
    /// use qtdec_mpi_schedule::{Collective, Named};
    ///
    /// let named = |name| Named::find(Collective::Bcast, name);
    /// assert!(matches!(named("binomial")?, Named::Listed(_)));
    /// assert!(matches!(named("two_level:inter=binomial/8192:intra=linear")?, Named::Composed(_)));
    /// assert!(named("bionmial").unwrap_err().to_string().contains("did you mean `binomial`"));
    /// # Ok::<(), qtdec_mpi_schedule::RequestError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if no algorithm has this name, or if it states a composition that there is not.
    pub fn find(collective: Collective, name: &str) -> Result<Self, RequestError> {
        if let Some(levels) = TwoLevel::named(collective, name)? {
            return Ok(Self::Composed(levels));
        }
        find(collective, name).map(Self::Listed)
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> &dyn Algorithm {
        match self {
            Self::Listed(entry) => *entry,
            Self::Composed(levels) => levels,
        }
    }

    /// Returns whether a reduction always keeps the order of the ranks, as [`Entry::keeps_order`], on the nodes of the request.
    pub fn keeps_order(&self, request: &Request) -> bool {
        match self {
            Self::Listed(entry) => entry.keeps_order(),
            Self::Composed(levels) => levels.keeps_order(request),
        }
    }

    /// Returns whether a reduction combines whole operands, as [`Entry::keeps_whole`].
    pub fn keeps_whole(&self, request: &Request) -> bool {
        match self {
            Self::Listed(entry) => entry.keeps_whole(request),
            Self::Composed(levels) => levels.keeps_whole(request),
        }
    }

    /// Returns the number of segments into which the message of a request is cut, at both levels of a composition together.
    pub fn segments(&self, request: &Request) -> u64 {
        match self {
            Self::Listed(entry) if entry.is_segmented() => request.segments(request.message()).remaining(),
            Self::Listed(_) => 1,
            Self::Composed(levels) => levels.segments(request),
        }
    }
}
