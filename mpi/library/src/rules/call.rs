//! The input of a rule.

use crate::catalogue::SizeUnit;
use qtdec_core::Basis;

/// The properties of a call that rules consider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The number of ranks.
    pub comm_size: u64,
    /// The message size in bytes.
    pub msg_size: u64,
    /// The basis of the message size.
    pub basis: Basis,
    /// The size of one element in bytes; rules compare numbers of elements with numbers of ranks.
    pub element_size: u64,
    /// Whether the operation, if there is one, is commutative.
    pub commutative: bool,
}

impl Call {
    /// Creates a call with a commutative operation on bytes.
    pub fn new(comm_size: u64, msg_size: u64, basis: Basis) -> Self {
        Self { comm_size, msg_size, basis, element_size: 1, commutative: true }
    }

    /// Returns the bytes of a buffer that is the same on all ranks (bcast, reduce, allreduce): the message size itself.
    pub fn buffer(&self) -> u64 {
        self.msg_size
    }

    /// Returns the bytes for one peer.
    pub fn block(&self) -> u64 {
        match self.basis {
            Basis::Block => self.msg_size,
            Basis::Buffer | Basis::Total => self.msg_size / self.comm_size.max(1),
        }
    }

    /// Returns the bytes of all ranks together.
    pub fn total(&self) -> u64 {
        match self.basis {
            Basis::Block => self.msg_size.saturating_mul(self.comm_size),
            Basis::Buffer | Basis::Total => self.msg_size,
        }
    }

    /// Returns the message size as a library counts it in its tuning files.
    pub fn in_unit(&self, unit: SizeUnit) -> u64 {
        match unit {
            SizeUnit::Buffer => self.buffer(),
            SizeUnit::TimesRanks | SizeUnit::Total => self.total(),
            SizeUnit::PerRank => self.block(),
            SizeUnit::Nothing => 0,
        }
    }

    /// Returns the number of elements in a number of bytes.
    pub fn count(&self, bytes: u64) -> u64 {
        bytes / self.element_size.max(1)
    }

    /// Returns whether the communicator size is a power of two.
    pub fn is_power_of_two(&self) -> bool {
        self.comm_size.is_power_of_two()
    }
}

/// Returns the greatest power of two that is at most `size`.
pub(super) fn power_of_two_not_above(size: u64) -> u64 {
    size.checked_ilog2().map_or(0, |exponent| 1 << exponent)
}
