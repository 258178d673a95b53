//! Ranges of bytes of a message, and how they are cut.

use super::{Buffer, Part};

/// A range of bytes, as yet of no buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
}

impl Span {
    /// Returns the range in `buffer`.
    pub const fn of(self, buffer: Buffer) -> Part {
        Part { buffer, offset: self.offset, bytes: self.bytes }
    }

    /// Returns the range inside `part`, counted from its start.
    pub fn within(self, part: Part) -> Part {
        part.slice(self.offset, self.bytes)
    }
}
