//! Finding sizes by their exponent.

use crate::Error;
use crate::bytes::{Bytes, Read};
use crate::names::read;

/// Sizes that are told apart by the exponent and the highest bits of the mantissa of their halves as an `f64`.
///
/// A half fits an `i64`, which processors convert in one step; and where a half is rounded, no two sizes change places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    lowest: f64,
    last: f64,
    shift: u32,
    /// The bits of `lowest` that count.
    first: u64,
}

impl Buckets {
    /// One bucket.
    pub(crate) const ONE: Self = Self { lowest: 0.5, last: 0.5, shift: 63, first: 0 };

    /// Reads the two sizes beyond which all are taken for them, and how far the bits of the `f64` are shifted.
    pub(crate) const fn read(bytes: Bytes<'_>) -> Read<'_, Self> {
        let (lowest, bytes) = read!(bytes.u64());
        let (last, bytes) = read!(bytes.u64());
        let (shift, bytes) = read!(bytes.u8());
        if lowest > last || shift > 63 {
            return Err(Error::Invalid);
        }
        let (lowest, last, shift) = (nonzero_half(lowest), nonzero_half(last), shift as u32);
        Ok((Self { lowest, last, shift, first: lowest.to_bits() >> shift }, bytes))
    }

    /// How many there are.
    pub(crate) const fn count(&self) -> u64 {
        (self.last.to_bits() >> self.shift) - self.first + 1
    }

    /// The bucket of a size, below [`count`](Self::count).
    #[inline]
    pub(crate) const fn bucket(&self, size: u64) -> usize {
        // Each of these is one instruction without a branch.
        let half = (size >> 1).cast_signed() as f64;
        let half = if half > self.lowest { half } else { self.lowest };
        let half = if half < self.last { half } else { self.last };
        ((half.to_bits() >> self.shift) - self.first) as usize
    }
}

/// Half of a size, rounded down; zero has no exponent, and one half stands for it.
const fn nonzero_half(size: u64) -> f64 {
    if size < 2 { 0.5 } else { (size >> 1).cast_signed() as f64 }
}
