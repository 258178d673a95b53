//! Lookup of the interval of a size by its exponent.

/// The number of mantissa bits in an `f64`.
const MANTISSA: u32 = 52;

/// A list in which sizes are found by the exponent and the highest mantissa bits of their value as an `f64`.
///
/// The conversion rounds sizes but preserves their order, so a bucket is a range of sizes, whatever
/// their number of bits. The list is fine enough that each bucket contains at most one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets {
    thresholds: Vec<u64>,
    /// The number of mantissa bits in use.
    bits: u32,
    scale: Scale,
}

/// The value that is converted to an `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The size itself. Zero has no exponent; if it must differ from one, both share a bucket.
    Whole,
    /// Half of the size, rounded down, which always fits an `i64`; one half if that is zero.
    #[cfg_attr(
        not(feature = "tools"),
        allow(dead_code, reason = "the attribute writes no decisions as bytes")
    )]
    Half,
}

/// The sizes of one bucket: those below `threshold` are in interval `below`, the others in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// The number of the lower interval.
    pub(crate) below: usize,
    /// The smallest size of the upper interval.
    pub(crate) threshold: u64,
}

impl Buckets {
    /// Creates the list for increasing thresholds, at least one and none of them 0. If it would take more than `most` bytes, returns the
    /// bytes and the two thresholds that require them.
    pub(crate) fn new(thresholds: Vec<u64>, most: u64) -> Result<Self, (u128, u64, u64)> {
        Self { thresholds, bits: 0, scale: Scale::Whole }.refined(most)
    }

    /// Creates the list for the halves of sizes, with 12 bytes for each bucket.
    #[cfg(feature = "tools")]
    pub(crate) fn from_halves(thresholds: Vec<u64>, most: u64) -> Result<Self, (u128, u64, u64)> {
        Self { thresholds, bits: 0, scale: Scale::Half }.refined(most)
    }

    fn refined(self, most: u64) -> Result<Self, (u128, u64, u64)> {
        let mut buckets = self;
        let mut closest = None;
        while let Some((lower, upper)) = buckets.collision() {
            closest = Some((lower, upper));
            if buckets.bits == MANTISSA || buckets.bytes() > most {
                break;
            }
            buckets.bits += 1;
        }
        match closest {
            Some((lower, upper)) if buckets.bytes() > most || buckets.collision().is_some() => {
                // Buckets that separate distances as short as this one.
                let bits = lower.ilog2() - (upper - lower).ilog2();
                let octaves = u128::from(1 + buckets.last().ilog2() - buckets.lowest().max(1).ilog2());
                Err(((octaves << bits) * buckets.bytes_of_one(), lower, upper))
            }
            _ => Ok(buckets),
        }
    }

    fn collision(&self) -> Option<(u64, u64)> {
        let inside = |threshold: u64| self.bucket(threshold - 1) == self.bucket(threshold);
        let together = |pair: &&[u64]| {
            self.bucket(pair[0]) == self.bucket(pair[1]) && inside(pair[0]) && inside(pair[1])
        };
        self.thresholds.windows(2).find(together).map(|pair| (pair[0], pair[1]))
    }

    /// Returns the bucket of a size between [`lowest`](Self::lowest) and [`last`](Self::last).
    fn bucket(&self, size: u64) -> u64 {
        let scaled = match self.scale {
            Scale::Whole if self.begins_at_zero() => (size | 1) as f64,
            Scale::Whole => size as f64,
            Scale::Half if size < 2 => 0.5,
            Scale::Half => (size >> 1) as f64,
        };
        scaled.to_bits() >> self.shift()
    }

    /// Returns whether the lowest bit of a size is set before the conversion.
    pub(crate) fn begins_at_zero(&self) -> bool {
        self.lowest() == 0
    }

    #[cfg(feature = "tools")]
    pub(crate) fn thresholds(&self) -> &[u64] {
        &self.thresholds
    }

    /// Returns the size to which smaller sizes are clamped; the smallest threshold is one more.
    pub(crate) fn lowest(&self) -> u64 {
        self.thresholds[0] - 1
    }

    /// Returns the last threshold, to which larger sizes are clamped.
    pub(crate) fn last(&self) -> u64 {
        self.thresholds[self.thresholds.len() - 1]
    }

    /// Returns the number of low bits of the `f64` that are ignored.
    pub(crate) fn shift(&self) -> u32 {
        MANTISSA - self.bits
    }

    /// Returns the number of buckets from that of the lowest size to that of the last.
    pub(crate) fn reached(&self) -> u64 {
        self.bucket(self.last()) - self.bucket(self.lowest()) + 1
    }

    /// Returns the number of buckets in the list, a power of two. The lowest remaining bits are the position in it.
    pub(crate) fn count(&self) -> usize {
        self.reached().next_power_of_two() as usize
    }

    /// Returns the buckets, in the order of the list.
    pub(crate) fn list(&self) -> Vec<Bucket> {
        let mut list = vec![Bucket { below: 0, threshold: self.thresholds[0] }; self.count()];
        let first = self.bucket(self.lowest()) as usize;
        for (place, bucket) in self.in_order().enumerate() {
            list[(first + place) & (self.count() - 1)] = bucket;
        }
        list
    }

    /// Returns the buckets from that of the lowest size to that of the last.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = Bucket> {
        (self.bucket(self.lowest())..=self.bucket(self.last())).map(|bucket| {
            let is_below = |&threshold: &u64| {
                self.bucket(threshold) < bucket
                    || (self.bucket(threshold) == bucket && self.bucket(threshold - 1) < bucket)
            };
            // The last threshold is always kept: no size lies above it.
            let below = self.thresholds.partition_point(is_below).min(self.thresholds.len() - 1);
            Bucket { below, threshold: self.thresholds[below] }
        })
    }

    /// Returns the smallest size of every bucket except the first.
    pub fn edges(&self) -> Vec<u64> {
        let buckets = self.bucket(self.lowest()) + 1..=self.bucket(self.last());
        buckets.map(|bucket| self.least(bucket)).collect()
    }

    fn least(&self, bucket: u64) -> u64 {
        let (mut below, mut least) = (self.lowest(), self.last());
        while least - below > 1 {
            let middle = below + (least - below) / 2;
            if self.bucket(middle) < bucket { below = middle } else { least = middle }
        }
        least
    }

    /// Returns whether a threshold and the offset of its entry both fit 32 bits.
    pub(crate) fn is_short(&self) -> bool {
        u32::try_from(self.last()).is_ok()
    }

    /// Returns the size of the list in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let count = match self.scale {
            Scale::Whole => self.count() as u64,
            Scale::Half => self.reached(),
        };
        count.saturating_mul(self.bytes_of_one() as u64)
    }

    fn bytes_of_one(&self) -> u128 {
        match self.scale {
            Scale::Half => 12,
            Scale::Whole if self.is_short() => 8,
            Scale::Whole => 16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the interval that the list finds, as generated code does.
    fn found(buckets: &Buckets, list: &[Bucket], size: u64) -> usize {
        let clamped = size.clamp(buckets.lowest(), buckets.last());
        let place = match buckets.scale {
            Scale::Whole => buckets.bucket(clamped) & (list.len() as u64 - 1),
            Scale::Half => buckets.bucket(clamped) - buckets.bucket(buckets.lowest()),
        };
        let Bucket { below, threshold } = list[place as usize];
        below + usize::from(size >= threshold)
    }

    #[test]
    fn every_size_is_found() {
        let lists: [&[u64]; 9] = [
            &[1],
            &[u64::MAX],
            &[1, 2, 3, 4, 5],
            &[1, u64::MAX],
            &[7, 1000, 1001, 1003, 70_000],
            &[(1 << 53) + 1, (1 << 53) + 3, (1 << 53) + 500],
            &[(1 << 63) - 5000, 1 << 63, u64::MAX - 5000],
            &[1024, 2048, 4096, 1 << 40],
            &[2, 3, 1 << 32],
        ];
        for thresholds in lists {
            let whole = Buckets::new(thresholds.to_vec(), 1 << 20).unwrap();
            let halves = Buckets::from_halves(thresholds.to_vec(), 1 << 20).unwrap();
            let (list, in_order) = (whole.list(), halves.in_order().collect::<Vec<_>>());
            assert_eq!(in_order.len() as u64, halves.reached());
            let edges =
                (0..64).flat_map(|bit| [1_u64 << bit, 3 << bit.min(62), (1 << bit) + (1 << bit >> 1)]);
            let sizes = thresholds.iter().copied().chain(edges).chain([0, u64::MAX]);
            for size in sizes.flat_map(|size| [size.saturating_sub(1), size, size.saturating_add(1)]) {
                let expected = thresholds.iter().filter(|&&threshold| threshold <= size).count();
                assert_eq!(found(&whole, &list, size), expected, "{size} among {thresholds:?}");
                assert_eq!(found(&halves, &in_order, size), expected, "{size} among {thresholds:?}");
            }
        }
    }

    #[test]
    fn thresholds_on_the_borders_of_buckets_need_no_finer_ones() {
        let buckets = Buckets::new((0..24).map(|bit| 1 << bit).collect(), 1 << 20).unwrap();
        assert_eq!((buckets.bits, buckets.count()), (0, 32));
    }

    #[test]
    fn close_thresholds_are_reported_with_the_size_of_the_table() {
        let refused = |thresholds: &[u64]| Buckets::new(thresholds.to_vec(), 1 << 20).unwrap_err();
        // 30 octaves of 2^29 buckets of 8 bytes each.
        assert_eq!(refused(&[1, 1_000_000_001, 1_000_000_002]), (30 << 32, 1_000_000_001, 1_000_000_002));
        // An `f64` cannot distinguish these sizes.
        let (bytes, ..) = refused(&[(1 << 60) + 1, (1 << 60) + 2]);
        assert_eq!(bytes, 1 << 64);
    }
}
