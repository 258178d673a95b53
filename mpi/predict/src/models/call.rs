//! The input of a formula.

use crate::network::Network;
use qtdec_mpi_schedule::radix::DEFAULT_RADIX;

/// A call of a collective over a network.
#[derive(Clone, Copy, Debug)]
pub struct Call<'n> {
    /// The network.
    pub network: &'n Network,
    /// The number of ranks.
    pub ranks: u64,
    /// The number of bytes.
    pub bytes: u64,
    segment: Option<u64>,
    radix: u32,
}

impl<'n> Call<'n> {
    /// Creates a call with a number of ranks and bytes, not cut into segments.
    ///
    /// The bytes are those of the whole message for a broadcast or a reduction, those of one rank for a scatter or a gather,
    /// and those of one pair of ranks for an all-to-all.
    pub fn new(network: &'n Network, ranks: u64, bytes: u64) -> Self {
        Self { network, ranks, bytes, segment: None, radix: DEFAULT_RADIX }
    }

    /// Cuts the message into segments of a size. `None`, or more bytes than the message has, leaves it whole.
    #[must_use]
    pub fn segment(mut self, segment: Option<u64>) -> Self {
        self.segment = segment;
        self
    }

    /// Sets the radix of a k-nomial or d-ary tree, at least 2. `None` is a radix of 4.
    #[must_use]
    pub fn with_radix(mut self, radix: Option<u32>) -> Self {
        self.radix = radix.unwrap_or(DEFAULT_RADIX).max(2);
        self
    }

    /// Returns the number of clusters that the ranks are in.
    pub fn clusters(&self) -> u64 {
        self.network.cluster(self.ranks.saturating_sub(1)) + 1
    }

    /// Returns the latency `L` of a message of a size.
    pub(super) fn latency(&self, bytes: u64) -> f64 {
        self.network.latency(bytes)
    }

    /// Returns the gap `g` of a message of a size.
    pub(super) fn gap(&self, bytes: u64) -> f64 {
        self.network.gap(bytes)
    }

    pub(super) fn radix(&self) -> u64 {
        u64::from(self.radix)
    }

    /// Returns the segments of the whole message.
    pub(super) fn cuts(&self) -> Cuts {
        Cuts::new(self.bytes, self.segment)
    }

    /// Returns the segments of the larger half of the message.
    pub(super) fn half_cuts(&self) -> Cuts {
        Cuts::new(self.bytes.div_ceil(2), self.segment)
    }

    /// Returns `P − 1`.
    pub(super) fn others(&self) -> f64 {
        (self.ranks - 1) as f64
    }

    /// Returns `⌈log2 P⌉`.
    pub(super) fn ceil_log2(&self) -> u32 {
        ceil_log2(self.ranks)
    }

    /// Returns `⌊log2 P⌋`.
    pub(super) fn floor_log2(&self) -> u32 {
        self.ranks.ilog2()
    }
}

/// Returns `⌈log2 n⌉` of a number above 0.
pub(super) fn ceil_log2(number: u64) -> u32 {
    u64::BITS - (number - 1).leading_zeros()
}

/// The segments of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cuts {
    /// The bytes `s` of every segment but the last.
    pub(super) full: u64,
    /// The number `k` of segments.
    pub(super) count: f64,
    /// The bytes `r` of the last segment.
    pub(super) last: u64,
}

impl Cuts {
    fn new(bytes: u64, segment: Option<u64>) -> Self {
        let full = segment.unwrap_or(bytes).clamp(1, bytes.max(1)).min(bytes);
        let count = if full == 0 { 1 } else { bytes.div_ceil(full) };
        Self { full, count: count as f64, last: bytes - (count - 1) * full }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_into_full_segments_and_a_rest() {
        let cases = [
            (100, None, (100, 1.0, 100)),
            (100, Some(30), (30, 4.0, 10)),
            (100, Some(50), (50, 2.0, 50)),
            (100, Some(1000), (100, 1.0, 100)),
            (100, Some(0), (1, 100.0, 1)),
            (0, Some(8), (0, 1.0, 0)),
            (0, None, (0, 1.0, 0)),
        ];
        for (bytes, segment, (full, count, last)) in cases {
            assert_eq!(Cuts::new(bytes, segment), Cuts { full, count, last }, "{bytes} in {segment:?}");
        }
    }

    #[test]
    fn logarithms_are_rounded_up() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9, u64::MAX].map(ceil_log2), [0, 1, 2, 2, 3, 3, 4, 64]);
    }
}
