//! Message sizes as libraries compare them.

use qtdec_core::Basis;

/// The quantity that a library compares with the message sizes in its tuning files.
///
/// The variants are complete: code that writes sizes must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeUnit {
    /// Size · count of a buffer that is the same on all ranks.
    Buffer,
    /// The bytes for one peer, times the communicator size.
    TimesRanks,
    /// The bytes of all ranks, divided by the communicator size and rounded down.
    PerRank,
    /// The bytes of all ranks.
    Total,
    /// Nothing: message sizes are ignored.
    Nothing,
}

impl SizeUnit {
    /// Returns the basis of a map whose sizes are these numbers.
    pub fn basis(self) -> Option<Basis> {
        match self {
            Self::Buffer => Some(Basis::Buffer),
            Self::TimesRanks | Self::Total => Some(Basis::Total),
            Self::PerRank => Some(Basis::Block),
            Self::Nothing => None,
        }
    }

    /// Returns the unit of sizes with a basis, in which a block is the bytes for one peer.
    pub fn of_basis(basis: Basis) -> Self {
        match basis {
            Basis::Buffer => Self::Buffer,
            Basis::Total => Self::Total,
            Basis::Block => Self::PerRank,
        }
    }

    /// Returns a description of the unit.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Buffer => "bytes of the buffer",
            Self::TimesRanks => "bytes for one peer times ranks",
            Self::PerRank => "bytes of all ranks divided by their number",
            Self::Total => "bytes of all ranks",
            Self::Nothing => "nothing: message sizes are ignored",
        }
    }
}
