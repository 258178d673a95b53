//! Ranges of bytes of a message, and their division.

use super::{Buffer, Part};

/// A range of bytes that is not tied to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
}

impl Span {
    /// Returns the range in `buffer`.
    pub const fn within_buffer(self, buffer: Buffer) -> Part {
        Part { buffer, offset: self.offset, bytes: self.bytes }
    }

    /// Returns the range inside `part`, relative to its start.
    pub fn within(self, part: Part) -> Part {
        part.slice(self.offset, self.bytes)
    }
}
