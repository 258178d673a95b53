//! Algorithms by name, and those of the levels of a composition.

use std::fmt;
use std::sync::Arc;

use super::TwoLevel;
use crate::algorithm::{Algorithm, Entry};
use crate::radix::{named, split_radix};
use crate::{Clusters, Collective, Request, RequestError, Variant, find};

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

/// What separates the algorithm between nodes from the one within them.
pub(super) const INTRA: &str = ":intra=";

/// The algorithm of one level of a composition, with its radix and segment size, written `dary:radix=3/8192`, or another composition.
#[derive(Clone, Debug)]
pub struct Level {
    pub(super) named: Arc<Named>,
    radix: Option<u32>,
    segment: Option<u64>,
}

impl Level {
    /// Creates a level whose messages are cut into segments of at most `segment` bytes, or not at all.
    ///
    /// # Errors
    ///
    /// Fails if there is a segment size, and the algorithm cuts nothing.
    pub fn new(entry: &'static Entry, segment: Option<u64>) -> Result<Self, RequestError> {
        match segment {
            Some(size) if !entry.is_segmented() => Err(RequestError::new(format!(
                "algorithm `{}` does not cut messages; omit /{size}",
                entry.name()
            ))),
            _ => Ok(Self { named: Arc::new(Named::Listed(entry)), radix: None, segment }),
        }
    }

    /// Creates a level that consists of two.
    pub fn composed(levels: TwoLevel) -> Self {
        Self { named: Arc::new(Named::Composed(levels)), radix: None, segment: None }
    }

    /// Sets the radix of a tree.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm has no radix.
    pub fn radix(mut self, radix: u32) -> Result<Self, RequestError> {
        match &*self.named {
            Named::Listed(entry) if entry.has_radix() => self.radix = Some(radix),
            _ => return Err(RequestError::lacks(self.algorithm().name(), "radix")),
        }
        Ok(self)
    }

    /// Returns the level whose name begins a text, and the rest of the text.
    /// Fails if the collective has no such algorithm, or the algorithm lacks what the name sets.
    pub(super) fn read(
        collective: Collective,
        text: &str,
        is_nested: bool,
    ) -> Result<(Self, &str), RequestError> {
        if text.starts_with(TwoLevel::PREFIX) && !is_nested {
            let (levels, rest) = TwoLevel::read(collective, text, true)?;
            return Ok((Self::composed(levels), rest));
        }
        let (text, rest) = text.split_at(text.find(INTRA).unwrap_or(text.len()));
        let (name, segment) = match text.split_once('/') {
            None => (text, None),
            Some((name, size)) => (name, Some(segment_size(size)?)),
        };
        let (name, radix) = split_radix(name);
        let entry = find(collective, name)?;
        let level = Self::new(entry, segment)?;
        let level = match radix {
            Some(radix) => level.radix(radix)?,
            None => level,
        };
        Ok((level, rest))
    }

    pub(super) fn algorithm(&self) -> &dyn Algorithm {
        self.named.algorithm()
    }

    pub(super) fn count(&self) -> u32 {
        match &*self.named {
            Named::Listed(_) => 1,
            Named::Composed(levels) => levels.count(),
        }
    }

    pub(super) fn segments(&self, request: &Request) -> u64 {
        match &*self.named {
            Named::Listed(_) => request.segments(request.message()).remaining(),
            Named::Composed(levels) => levels.segments(request),
        }
    }

    /// Returns the request of the level for its part of the ranks of `request`, which a composition divides into `nodes`.
    pub(super) fn request(
        &self,
        request: &Request,
        (comm_size, root): (u32, u32),
        count: u64,
        nodes: impl FnOnce() -> Option<Clusters>,
    ) -> Request {
        let Variant { library, .. } = *request.chosen_variant();
        let clusters = if self.count() > 1 { nodes() } else { None };
        let variant = Variant { library, radix: self.radix, clusters, ..Variant::default() };
        request.part(comm_size, root, count, self.segment, variant)
    }
}

fn segment_size(text: &str) -> Result<u64, RequestError> {
    text.parse().map_err(|_| {
        RequestError::new(format!("`{text}` is not a number of bytes; write the segment size as in /8192"))
    })
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&named(self.algorithm().name(), self.radix))?;
        self.segment.map_or(Ok(()), |segment| write!(f, "/{segment}"))
    }
}
