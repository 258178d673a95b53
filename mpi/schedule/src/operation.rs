//! The elements of the schedule of a rank.

use std::fmt;

/// The maximum number of rails (network ports) of a node, more than any node has had.
pub const MAX_RAILS: u32 = 64;

/// A buffer of one rank.
///
/// The variants are complete: MPI has no other buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// The send buffer of the MPI call, which is never written.
    Send,
    /// The receive buffer of the MPI call.
    Receive,
    /// Scratch memory of the algorithm, as much as its parts need; its initial contents are undefined.
    Scratch,
    /// The only buffer of a call with a single one, such as `MPI_Bcast`.
    Data,
}

impl Buffer {
    /// Every buffer.
    pub const ALL: [Self; 4] = [Self::Send, Self::Receive, Self::Scratch, Self::Data];

    /// Returns the buffer's name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Scratch => "scratch",
            Self::Data => "data",
        }
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A range of bytes of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The buffer.
    pub buffer: Buffer,
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
}

impl Part {
    /// Returns the `bytes` bytes that begin `from` bytes after the start of this part.
    #[must_use]
    pub fn slice(self, from: u64, bytes: u64) -> Self {
        debug_assert!(from + bytes <= self.bytes, "the slice ends beyond the part");
        Self { buffer: self.buffer, offset: self.offset + from, bytes }
    }

    /// Returns the offset after the last byte of the part.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }

    /// Returns whether the two parts have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.buffer == other.buffer && self.offset < other.end() && other.offset < self.end()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}..{}]", self.buffer, self.offset, self.end())
    }
}

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

/// An operation's action.
///
/// The variants are complete: code that runs a schedule must handle each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends the concatenation of `parts` to `peer`.
    Send {
        /// The receiving rank.
        peer: u32,
        /// The rail (network port) that carries the message.
        rail: u32,
        /// The bytes, in the order in which they are sent.
        parts: Vec<Part>,
    },
    /// Receives a message from `peer` into `parts`.
    Receive {
        /// The sending rank.
        peer: u32,
        /// The rail (network port) that carries the message.
        rail: u32,
        /// The destinations of the bytes, in the order in which they were sent.
        parts: Vec<Part>,
    },
    /// Combines `parts`, each as long as `into`, from left to right and stores the result in `into`.
    Reduce {
        /// The operands; one of them may be `into` itself.
        parts: Vec<Part>,
        /// The destination of the result.
        into: Part,
    },
    /// Stores the concatenation of `parts` in `into`.
    Copy {
        /// The bytes to copy, in order; none of them in `into`.
        parts: Vec<Part>,
        /// The destination.
        into: Part,
    },
}

impl Action {
    /// Returns the action's name in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Send { .. } => "send",
            Self::Receive { .. } => "recv",
            Self::Reduce { .. } => "reduce",
            Self::Copy { .. } => "copy",
        }
    }

    /// Returns the parts that are sent, received, combined or copied.
    pub fn parts(&self) -> &[Part] {
        match self {
            Self::Send { parts, .. }
            | Self::Receive { parts, .. }
            | Self::Reduce { parts, .. }
            | Self::Copy { parts, .. } => parts,
        }
    }

    /// Returns the part that a reduction or a copy writes.
    pub const fn target(&self) -> Option<Part> {
        match self {
            Self::Reduce { into, .. } | Self::Copy { into, .. } => Some(*into),
            Self::Send { .. } | Self::Receive { .. } => None,
        }
    }

    /// Returns the bytes of a message, or those that a reduction or a copy writes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Send { parts, .. } | Self::Receive { parts, .. } => {
                parts.iter().fold(0, |sum, part| sum.saturating_add(part.bytes))
            }
            Self::Reduce { into, .. } | Self::Copy { into, .. } => into.bytes,
        }
    }

    /// Returns the parts that the action reads.
    pub fn reads(&self) -> &[Part] {
        match self {
            Self::Send { parts, .. } | Self::Reduce { parts, .. } | Self::Copy { parts, .. } => parts,
            Self::Receive { .. } => &[],
        }
    }

    /// Returns the parts that the action writes.
    pub fn writes(&self) -> &[Part] {
        match self {
            Self::Receive { parts, .. } => parts,
            Self::Reduce { into, .. } | Self::Copy { into, .. } => std::slice::from_ref(into),
            Self::Send { .. } => &[],
        }
    }
}

/// One operation of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The action.
    pub action: Action,
    /// The operations of the same rank, by position in its list, that must be complete before this one is posted.
    /// All of them stand earlier in the list.
    pub after: Vec<u32>,
}

/// The operations of one rank.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RankSchedule {
    /// The rank.
    pub rank: u32,
    /// The operations; those with the same peer, rail and direction are posted in this order.
    pub operations: Vec<Operation>,
}

impl RankSchedule {
    /// Returns the number of bytes of scratch memory that the rank needs.
    pub fn scratch_bytes(&self) -> u64 {
        self.bytes_of(Buffer::Scratch)
    }

    /// Returns the number of bytes of a buffer up to the last one that the rank uses.
    pub(crate) fn bytes_of(&self, buffer: Buffer) -> u64 {
        let parts = self
            .operations
            .iter()
            .flat_map(|operation| operation.action.parts().iter().copied().chain(operation.action.target()));
        parts.filter(|part| part.buffer == buffer).map(Part::end).max().unwrap_or(0)
    }
}
