//! The request for a schedule.

use std::sync::Arc;

use super::{Buffer, Clusters, Part, RequestError, Span};
use crate::Collective;
use crate::radix::DEFAULT_RADIX;

/// The maximum number of ranks of a communicator, more than any machine has had.
pub const MAX_COMM_SIZE: u32 = 1 << 24;

/// The maximum number of segments of one message.
pub const MAX_SEGMENTS: u64 = 1 << 20;

/// The ranks as those that send their blocks.
pub(super) const SENDERS: usize = 0;

/// The ranks as those that receive blocks in an `alltoall`.
pub(super) const RECEIVERS: usize = 1;

/// The maximum number of bytes that all ranks together may hold in one buffer.
const MAX_BYTES: u64 = 1 << 60;

/// A call of a collective, identical on all ranks, and the parameters of its algorithm.
///
/// `count` is MPI's argument: the elements of the whole message for `bcast`, `reduce` and `allreduce`; those that one
/// rank sends or receives for `scatter`, `gather` and `allgather`; those for one pair of ranks for `alltoall`; those of
/// one rank's result for `reduce_scatter_block`. `barrier` has none, and ignores it. A collective with a count for each rank
/// or for each pair of ranks has the sum of its [counts](Self::counts).
///
/// A request is always valid: cuts fall on elements, offsets fit into 64 bits, and the root is a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    comm_size: u32,
    root: u32,
    count: u64,
    element_size: u64,
    segment: Option<u64>,
    commutative: bool,
    variant: Variant,
    counts: Option<Arc<[u64]>>,
    /// The runs of `count` elements before the block of each rank and in all blocks, where ranks have other numbers than one: as senders
    /// and, in an `alltoall`, as receivers.
    runs: [Option<Arc<[u64]>>; 2],
    in_place: Option<bool>,
}

impl Request {
    /// Creates a request of `count` elements of one byte each among `comm_size` ranks, with root 0 and a commutative
    /// operation, not cut into segments.
    ///
    /// A communicator of one rank is allowed: its schedule sends nothing.
    ///
    /// # Errors
    ///
    /// Fails if `comm_size` is 0 or above [`MAX_COMM_SIZE`], or if all ranks together would hold more than 2^60 bytes.
    pub fn new(comm_size: u32, count: u64) -> Result<Self, RequestError> {
        if comm_size == 0 {
            return Err(RequestError::new("the communicator has no ranks; it must have at least 1"));
        }
        if comm_size > MAX_COMM_SIZE {
            let message = format!("{comm_size} ranks exceed the maximum of {MAX_COMM_SIZE}; use fewer ranks");
            return Err(RequestError::new(message));
        }
        let request = Self {
            comm_size,
            root: 0,
            count,
            element_size: 1,
            segment: None,
            commutative: true,
            variant: Variant::default(),
            counts: None,
            runs: [None, None],
            in_place: None,
        };
        request.checked()
    }

    /// Creates a request of a collective that has a count for each rank or, for `alltoallv`, for each pair of ranks: the
    /// blocks of the first rank for all ranks, then those of the second, and so on. Blocks follow each other without gaps.
    ///
    /// # Errors
    ///
    /// Fails like [`Self::new`], for the sum of the counts.
    pub fn vectored(comm_size: u32, counts: Vec<u64>) -> Result<Self, RequestError> {
        let sum = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
        let request = Self::new(comm_size, sum)?;
        Ok(Self { counts: Some(counts.into()), ..request })
    }

    /// Sets whether input and result share the buffer [`Data`](super::Buffer::Data). Without this setting, they do for
    /// `bcast` alone.
    ///
    /// A rank's own block of the larger one is the smaller one, as in NCCL: the result of `reduce_scatter_block` is block r
    /// of rank r's buffer. (`MPI_IN_PLACE` places it at the start instead.)
    #[must_use]
    pub fn in_place(mut self, in_place: bool) -> Self {
        self.in_place = Some(in_place);
        self
    }

    /// Sets the root.
    ///
    /// # Errors
    ///
    /// Fails if `root` is not a rank.
    pub fn root(mut self, root: u32) -> Result<Self, RequestError> {
        if root >= self.comm_size {
            let (ranks, last) = (self.comm_size, self.comm_size - 1);
            let message = format!("root {root} is not a rank; with {ranks} ranks, it must be in 0..={last}");
            return Err(RequestError::new(message));
        }
        self.root = root;
        Ok(self)
    }

    /// Sets the size of one element in bytes.
    ///
    /// # Errors
    ///
    /// Fails if `element_size` is 0, a segment is smaller than an element, or there are too many bytes.
    pub fn element_size(mut self, element_size: u64) -> Result<Self, RequestError> {
        self.element_size = element_size;
        self.checked()
    }

    /// Sets the maximum size of a segment in bytes, or `None` for no cuts.
    ///
    /// Segments hold whole elements: the size is rounded down to a multiple of the element size. A segment at least as
    /// large as the message leaves it uncut.
    ///
    /// # Errors
    ///
    /// Fails if `segment` is 0 or smaller than an element, or if the message would be cut into more than [`MAX_SEGMENTS`].
    pub fn segment(mut self, segment: Option<u64>) -> Result<Self, RequestError> {
        self.segment = segment;
        self.checked()
    }

    /// Sets whether the operands of a reduction may be combined in any order (the default) or only in rank order.
    #[must_use]
    pub fn commutative(mut self, commutative: bool) -> Self {
        self.commutative = commutative;
        self
    }

    /// Sets the variant of the algorithm.
    ///
    /// # Errors
    ///
    /// Fails if the radix is below 2, there are no chains, or the clusters do not hold exactly all ranks.
    pub fn variant(mut self, variant: Variant) -> Result<Self, RequestError> {
        self.variant = variant;
        self.checked()
    }

    /// Returns the same request for a subset of the ranks, renumbered, with another count, segment size and variant, and with blocks of one
    /// size. Its limits are not checked.
    pub(super) fn part(
        &self,
        comm_size: u32,
        root: u32,
        count: u64,
        segment: Option<u64>,
        variant: Variant,
    ) -> Self {
        debug_assert!(root < comm_size && comm_size <= self.comm_size, "the root is one of the ranks");
        Self { comm_size, root, count, segment, variant, runs: [None, None], ..self.clone() }
    }

    /// Returns the same request with blocks of several runs of `count` elements. For senders and for receivers, the runs before each rank
    /// are given, and those of all; `count` grows if they have the same number.
    pub(super) fn with_runs(mut self, runs: [Option<Vec<u64>>; 2]) -> Self {
        for (of_side, before) in self.runs.iter_mut().zip(runs) {
            let Some(before) = before else { continue };
            let each = before[1] - before[0];
            if before.windows(2).all(|next| next[1] - next[0] == each) {
                self.count *= each;
            } else {
                *of_side = Some(before.into());
            }
        }
        self
    }

    pub(super) fn uncut(self) -> Self {
        Self { segment: None, ..self }
    }

    pub(super) fn checked(self) -> Result<Self, RequestError> {
        if self.element_size == 0 {
            return Err(RequestError::new("the element size is 0 bytes; it must be at least 1"));
        }
        let bytes = u128::from(self.count) * u128::from(self.element_size);
        if bytes * u128::from(self.comm_size) > u128::from(MAX_BYTES) {
            return Err(RequestError::new(format!(
                "{bytes} bytes for each of {} ranks exceed 2^60 bytes in total; use a smaller message",
                self.comm_size
            )));
        }
        if let Some(segment) = self.segment {
            if segment == 0 {
                let message = "the segment size is 0 bytes; omit it to send messages in one piece";
                return Err(RequestError::new(message));
            }
            if segment < self.element_size {
                return Err(RequestError::new(format!(
                    "a segment of {segment} bytes would split an element; use at least {} bytes",
                    self.element_size
                )));
            }
            if self.segments(self.message()).remaining() > MAX_SEGMENTS {
                let least = (bytes as u64).div_ceil(MAX_SEGMENTS);
                return Err(RequestError::new(format!(
                    "segments of {segment} bytes split the message into more than {MAX_SEGMENTS} pieces; use at least {least} bytes"
                )));
            }
        }
        let Variant { radix, chains, ref clusters, .. } = self.variant;
        if let Some(radix @ 0..2) = radix {
            return Err(RequestError::new(format!("the radix is {radix}; it must be at least 2")));
        }
        if chains == Some(0) {
            return Err(RequestError::new("the number of chains is 0; it must be at least 1"));
        }
        match clusters {
            Some(clusters) if clusters.ranks() != u64::from(self.comm_size) => {
                Err(RequestError::new(format!(
                    "the clusters {clusters} have {} ranks, but the communicator has {}; the numbers must be equal",
                    clusters.ranks(),
                    self.comm_size
                )))
            }
            _ => Ok(self),
        }
    }

    /// Returns the number of ranks.
    pub const fn comm_size(&self) -> u32 {
        self.comm_size
    }

    /// Returns the root of a rooted collective.
    pub const fn root_rank(&self) -> u32 {
        self.root
    }

    /// Returns the number of elements, as MPI counts them for the collective.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the size of one element in bytes.
    pub const fn bytes_per_element(&self) -> u64 {
        self.element_size
    }

    /// Returns the maximum size of a segment in bytes, a multiple of the element size, or `None` if nothing is cut.
    pub fn segment_size(&self) -> Option<u64> {
        self.segment.map(|segment| segment - segment % self.element_size)
    }

    /// Returns whether operands may be combined in any order.
    pub const fn is_commutative(&self) -> bool {
        self.commutative
    }

    /// Returns the counts of a collective that has several.
    pub fn counts(&self) -> Option<&[u64]> {
        self.counts.as_deref()
    }

    /// Returns whether input and result of a collective share one buffer.
    pub fn is_in_place(&self, collective: Collective) -> bool {
        self.in_place.unwrap_or(collective == Collective::Bcast)
    }

    /// Returns the selected variant of the algorithm.
    pub const fn chosen_variant(&self) -> &Variant {
        &self.variant
    }

    /// Returns the radix of a k-nomial or d-ary tree.
    pub fn radix(&self) -> u32 {
        self.variant.radix.unwrap_or(DEFAULT_RADIX)
    }

    /// Returns the size of `count` elements in bytes.
    pub const fn bytes(&self) -> u64 {
        self.count * self.element_size
    }

    /// Returns the `count` elements as a range of bytes.
    pub const fn message(&self) -> Span {
        Span { offset: 0, bytes: self.bytes() }
    }

    /// Returns the block of a rank in a buffer that holds one for each.
    pub fn slot(&self, rank: u32) -> Span {
        self.slots(rank, rank + 1)
    }

    /// Returns the blocks of the ranks `from..to` in a buffer that holds one for each rank.
    pub fn slots(&self, from: u32, to: u32) -> Span {
        let [from, to] = [from, to].map(|rank| self.runs_before(SENDERS, rank) * self.bytes());
        Span { offset: from, bytes: to - from }
    }

    /// Returns the block of a rank in a buffer of its own.
    pub(super) fn own(&self, rank: u32) -> Span {
        Span { offset: 0, ..self.slot(rank) }
    }

    /// Returns what a rank sends to a peer in an `alltoall`.
    pub(super) fn sent(&self, rank: u32, peer: u32) -> Part {
        self.exchanged([SENDERS, RECEIVERS], [rank, peer]).within_buffer(Buffer::Send)
    }

    /// Returns what a rank receives from a peer in an `alltoall`.
    pub(super) fn received(&self, rank: u32, peer: u32) -> Part {
        self.exchanged([RECEIVERS, SENDERS], [rank, peer]).within_buffer(Buffer::Receive)
    }

    fn exchanged(&self, [own, other]: [usize; 2], [rank, peer]: [u32; 2]) -> Span {
        let each = self.runs_of(own, rank) * self.bytes();
        Span { offset: each * self.runs_before(other, peer), bytes: each * self.runs_of(other, peer) }
    }

    /// Returns the number of runs in the block of a rank.
    pub(super) fn runs_of(&self, side: usize, rank: u32) -> u64 {
        self.runs_before(side, rank + 1) - self.runs_before(side, rank)
    }

    /// Returns the number of runs in the blocks of all ranks before one.
    pub(super) fn runs_before(&self, side: usize, rank: u32) -> u64 {
        self.runs[side].as_ref().map_or(u64::from(rank), |before| before[rank as usize])
    }

    /// Returns the rank whose block has a run.
    pub(super) fn rank_of_run(&self, side: usize, run: u64) -> u32 {
        let rank = |before: &Arc<[u64]>| before.partition_point(|&before| before <= run) as u32 - 1;
        self.runs[side].as_ref().map_or(run as u32, rank)
    }

    /// Returns the `index`-th of `blocks` blocks of the message, whose sizes differ by at most one element; the larger
    /// ones come first.
    pub fn block(&self, index: u32, blocks: u32) -> Span {
        self.block_of(self.message(), index, blocks)
    }

    /// Returns the `index`-th of `blocks` blocks of `span`, like [`Self::block`].
    pub(super) fn block_of(&self, span: Span, index: u32, blocks: u32) -> Span {
        let (index, blocks) = (u64::from(index), u64::from(blocks));
        let count = span.bytes / self.element_size;
        let (least, more) = (count / blocks, count % blocks);
        let first = index * least + index.min(more);
        let elements = least + u64::from(index < more);
        Span { offset: span.offset + first * self.element_size, bytes: elements * self.element_size }
    }

    /// Returns the blocks `from..to` of `blocks`, which follow each other, as one range.
    pub fn blocks(&self, from: u32, to: u32, blocks: u32) -> Span {
        let start = self.block(from, blocks).offset;
        let end = if to == blocks { self.bytes() } else { self.block(to, blocks).offset };
        Span { offset: start, bytes: end - start }
    }

    /// Returns the segments of `span`, which starts and ends on elements. An empty span has none.
    pub fn segments(&self, span: Span) -> Segments {
        Segments { left: span, size: self.segment_size().unwrap_or(u64::MAX) }
    }

    /// Returns the `index`-th segment of `span`, or an empty one if there are not so many.
    pub fn segment_of(&self, span: Span, index: u64) -> Span {
        let size = self.segment_size().unwrap_or(u64::MAX);
        let from = index.saturating_mul(size).min(span.bytes);
        Span { offset: span.offset + from, bytes: (span.bytes - from).min(size) }
    }

    /// Returns the number of the rank counted from the root, which is number 0.
    pub fn from_root(&self, rank: u32) -> u32 {
        if rank >= self.root { rank - self.root } else { rank + (self.comm_size - self.root) }
    }

    /// Returns the rank whose number counted from the root is `number`.
    pub fn to_rank(&self, number: u32) -> u32 {
        if number < self.comm_size - self.root {
            self.root + number
        } else {
            number - (self.comm_size - self.root)
        }
    }
}

/// The segments of a range of bytes, in order.
#[derive(Clone, Debug)]
pub struct Segments {
    left: Span,
    size: u64,
}

impl Segments {
    /// Returns the number of remaining segments.
    pub fn remaining(&self) -> u64 {
        self.left.bytes.div_ceil(self.size)
    }
}

impl Iterator for Segments {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.left.bytes == 0 {
            return None;
        }
        let bytes = self.left.bytes.min(self.size);
        let segment = Span { offset: self.left.offset, bytes };
        self.left = Span { offset: self.left.offset + bytes, bytes: self.left.bytes - bytes };
        Some(segment)
    }
}

/// The parameters that distinguish schedules of one algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Variant {
    /// The library whose form of the algorithm is used, or `None` for that of this crate.
    pub library: Option<Library>,
    /// The radix of a k-nomial or d-ary tree, 4 if absent.
    pub radix: Option<u32>,
    /// The number of chains of the algorithm `chain`, 4 if absent (Open MPI's default).
    pub chains: Option<u32>,
    /// The distribution of the ranks over clusters or nodes, for a composition or for an algorithm that crosses the wide area as seldom
    /// as possible.
    pub clusters: Option<Clusters>,
}

/// A library whose forms of the algorithms are available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Library {
    /// Open MPI, component `tuned`, version 4.1.
    OpenMpi,
    /// MPICH 3.4 and later.
    Mpich,
}

impl Library {
    /// Every library.
    pub const ALL: [Self; 2] = [Self::OpenMpi, Self::Mpich];

    /// Returns the name of the library.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "open-mpi-4.1",
            Self::Mpich => "mpich",
        }
    }
}
