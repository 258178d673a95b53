//! The algorithm of one level of a composition, and its name.

use std::fmt;

use crate::algorithm::{Algorithm, Entry};
use crate::radix::{named, split_radix};
use crate::{Collective, Request, RequestError, Variant, find};

/// The algorithm of one level of a composition, with its radix and segment size, written `dary:radix=3/8192`.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub(super) entry: &'static Entry,
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
            _ => Ok(Self { entry, radix: None, segment }),
        }
    }

    /// Sets the radix of a tree.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm has no radix.
    pub fn radix(mut self, radix: u32) -> Result<Self, RequestError> {
        if !self.entry.has_radix() {
            return Err(RequestError::lacks(self.entry.name(), "radix"));
        }
        self.radix = Some(radix);
        Ok(self)
    }

    /// Returns the level with a name.
    ///
    /// # Errors
    ///
    /// Fails if the collective has no such algorithm, or the algorithm lacks what the name sets.
    pub(super) fn named(collective: Collective, text: &str) -> Result<Self, RequestError> {
        let (name, segment) = match text.split_once('/') {
            None => (text, None),
            Some((name, size)) => (name, Some(segment_size(size)?)),
        };
        let (name, radix) = split_radix(name);
        let entry = find(collective, name)?;
        let level = Self::new(entry, segment)?;
        radix.map_or(Ok(level), |radix| level.radix(radix))
    }

    /// Returns the request of the level for its part of the ranks of `request`.
    pub(super) fn request(&self, request: &Request, comm_size: u32, root: u32, count: u64) -> Request {
        let Variant { library, .. } = *request.chosen_variant();
        let variant = Variant { library, radix: self.radix, ..Variant::default() };
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
        f.write_str(&named(self.entry.name(), self.radix))?;
        self.segment.map_or(Ok(()), |segment| write!(f, "/{segment}"))
    }
}
