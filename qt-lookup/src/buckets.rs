//! Lookup of sizes by their exponent.

use crate::Error;
use crate::bytes::{Bytes, Read, read};

/// Sizes grouped by the exponent and the highest mantissa bits of their halves as an `f64`.
///
/// A half fits an `i64`, which processors convert in one step. Where a half is rounded, the order of sizes is preserved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    lowest: f64,
    last: f64,
    shift: u32,
    /// The relevant bits of `lowest`.
    first: u64,
}

impl Buckets {
    /// A single bucket.
    pub(crate) const ONE: Self = Self { lowest: 0.5, last: 0.5, shift: 63, first: 0 };

    /// Reads the lowest and the last size, to which all sizes are clamped, and the shift of the bits of the `f64`.
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

    pub(crate) const fn count(&self) -> u64 {
        (self.last.to_bits() >> self.shift) - self.first + 1
    }

    /// Returns the bucket of a size, below [`count`](Self::count).
    #[inline]
    pub(crate) const fn bucket(&self, size: u64) -> usize {
        // Each of these is one instruction without a branch.
        let half = half(size);
        let half = if half > self.lowest { half } else { self.lowest };
        let half = if half < self.last { half } else { self.last };
        ((half.to_bits() >> self.shift) - self.first) as usize
    }
}

/// Returns half of a size, rounded down. Zero has no exponent, so one half stands for it.
const fn nonzero_half(size: u64) -> f64 {
    if size < 2 { 0.5 } else { half(size) }
}

/// Returns half of a size, rounded down. The conversion of a signed number is a single instruction.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "half of a size has no highest bit")]
const fn half(size: u64) -> f64 {
    (size >> 1) as i64 as f64
}
