//! The mapping from a size to the number of its interval.

use crate::Error;
use crate::arrays::Arrays;
use crate::buckets::Buckets;
use crate::bytes::{Bytes, Read, read};

/// An axis, on which all sizes between two neighbouring thresholds have the same decision.
///
/// The interval of a size is found in one of three lists; the other two are empty. The first list that reaches far enough is
/// used, so the kind of the axis needs no separate tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<'b> {
    /// The number of intervals.
    pub(crate) intervals: usize,
    /// The interval of every size up to this one. Larger sizes are treated as this one.
    last: u64,
    sizes: &'b [u8],
    /// For every bucket, the only threshold inside it and the interval below that threshold.
    buckets: Buckets,
    inside: Arrays<'b, 12>,
    /// Thresholds that are searched.
    searched: Arrays<'b, 8>,
}

impl<'b> Axis<'b> {
    /// An axis with one interval.
    pub(crate) const ONE: Self = Self {
        intervals: 1,
        last: 0,
        sizes: &[],
        buckets: Buckets::ONE,
        inside: Arrays::new(&[]),
        searched: Arrays::new(&[]),
    };

    pub(crate) const fn read(bytes: Bytes<'b>) -> Read<'b, Self> {
        let (intervals, bytes) = read!(bytes.u32());
        let (form, bytes) = read!(bytes.u8());
        let axis = Self { intervals: intervals as usize, ..Self::ONE };
        let (axis, bytes) = match form {
            0 => {
                let (last, bytes) = read!(bytes.u16());
                let (sizes, bytes) = read!(bytes.slice(last as usize + 1));
                (Self { last: last as u64, sizes, ..axis }, bytes)
            }
            1 => {
                let (buckets, bytes) = read!(Buckets::read(bytes));
                if buckets.count() > u32::MAX as u64 {
                    return Err(Error::Length);
                }
                let (inside, bytes) = read!(bytes.arrays(buckets.count() as usize));
                (Self { buckets, inside, ..axis }, bytes)
            }
            2 => {
                let (searched, bytes) = read!(bytes.arrays(axis.intervals.saturating_sub(1)));
                (Self { searched, ..axis }, bytes)
            }
            _ => return Err(Error::Invalid),
        };
        if axis.is_sound() { Ok((axis, bytes)) } else { Err(Error::Invalid) }
    }

    /// Returns whether every size leads to an interval.
    const fn is_sound(&self) -> bool {
        let mut place = 0;
        while place < self.sizes.len() {
            if self.sizes[place] as usize >= self.intervals {
                return false;
            }
            place += 1;
        }
        let mut place = 0;
        while let Some(bytes) = self.inside.get(place) {
            let (_, below) = threshold(bytes);
            // A size at or above the threshold is in the next interval.
            if below.saturating_add(1) >= self.intervals {
                return false;
            }
            place += 1;
        }
        self.intervals > 0
    }

    /// Returns the interval of a size, which is always less than the number of intervals.
    #[inline]
    pub(crate) const fn interval(&self, size: u64) -> usize {
        let place = if size < self.last { size } else { self.last } as usize;
        if place < self.sizes.len() {
            return self.sizes[place] as usize;
        }
        if let Some(bytes) = self.inside.get(self.buckets.bucket(size)) {
            let (threshold, below) = threshold(bytes);
            // A sum instead of a choice, which could compile to a branch that is mispredicted.
            return below + (size >= threshold) as usize;
        }
        reached(self.searched, size)
    }

    /// Returns the number of bytes that the lists of the axis take.
    pub(crate) const fn bytes(&self) -> usize {
        self.sizes.len() + self.inside.bytes() + self.searched.bytes()
    }
}

/// Reads a threshold and the interval below it.
#[inline]
const fn threshold(bytes: &[u8; 12]) -> (u64, usize) {
    let [threshold @ .., a, b, c, d] = *bytes;
    (u64::from_le_bytes(threshold), u32::from_le_bytes([a, b, c, d]) as usize)
}

/// Returns the number of thresholds that a size reaches. It is inlined, because a call would make every decision save registers.
#[inline]
const fn reached(thresholds: Arrays<'_, 8>, size: u64) -> usize {
    let (mut first, mut end) = (0, thresholds.count());
    while first < end {
        let middle = first.midpoint(end);
        match thresholds.get(middle) {
            Some(threshold) if size >= u64::from_le_bytes(*threshold) => first = middle + 1,
            _ => end = middle,
        }
    }
    first
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    fn read(intervals: u32, rest: &[&[u8]]) -> Option<Error> {
        let bytes: Vec<u8> = [&intervals.to_le_bytes()[..], &rest.concat()].concat();
        Axis::read(Bytes(&bytes)).err()
    }

    #[test]
    fn sizes_lead_to_intervals_that_are_there() {
        assert_eq!(read(2, &[&[0, 2, 0, 0, 0, 1]]), None);
        assert_eq!(read(2, &[&[0, 2, 0, 0, 0, 2]]), Some(Error::Invalid));
        assert_eq!(read(2, &[&[0, 3, 0, 0, 0, 1]]), Some(Error::Length));
        assert_eq!(read(0, &[&[0, 0, 0, 0]]), Some(Error::Invalid));
        assert_eq!(read(2, &[&[3, 0, 0, 0]]), Some(Error::Invalid));
    }

    #[test]
    fn thresholds_have_an_interval_on_either_side() {
        // The halves, 1 and 2, have two exponents.
        let buckets = |lowest: u64, last: u64, shift: u8| {
            [&[1][..], &lowest.to_le_bytes(), &last.to_le_bytes(), &[shift]].concat()
        };
        let inside = |below: u32| [&4_u64.to_le_bytes()[..], &below.to_le_bytes()].concat();
        assert_eq!(read(2, &[&buckets(3, 4, 52), &inside(0), &inside(0)]), None);
        assert_eq!(read(2, &[&buckets(3, 4, 52), &inside(0), &inside(1)]), Some(Error::Invalid));
        assert_eq!(read(2, &[&buckets(3, 4, 52), &inside(0), &inside(u32::MAX)]), Some(Error::Invalid));
        assert_eq!(read(2, &[&buckets(3, 4, 52), &inside(0)]), Some(Error::Length));
        assert_eq!(read(2, &[&buckets(4, 3, 52), &inside(0), &inside(0)]), Some(Error::Invalid));
        assert_eq!(read(2, &[&buckets(3, 4, 64), &inside(0)]), Some(Error::Invalid));
        assert_eq!(read(2, &[&buckets(3, u64::MAX, 0)]), Some(Error::Length));
        assert_eq!(read(3, &[&[2], &4_u64.to_le_bytes()]), Some(Error::Length));
        assert_eq!(read(0, &[&[2]]), Some(Error::Invalid));
    }
}
