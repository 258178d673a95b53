//! The rules for the buffers of a collective: their sizes and their contents before and after.
//!
//! They are those of the MPI standard; where input and result share one buffer, those of NCCL.

use super::{Buffer, Part, Request, Span};
use crate::Collective;

/// Returns the size of `buffer` at `rank` in bytes, which is 0 if the call has no such buffer or the standard calls it not
/// significant there. Scratch memory and the result of a custom exchange have no size of their own.
pub(crate) fn buffer_bytes(collective: Collective, request: &Request, rank: u32, buffer: Buffer) -> u64 {
    let in_place = request.is_in_place(collective);
    let call = Call { collective, request, rank };
    match buffer {
        Buffer::Receive if collective == Collective::Custom && !in_place => u64::MAX,
        Buffer::Data if collective == Collective::Custom && in_place => u64::MAX,
        Buffer::Data if in_place => call.input().map_or(0, end).max(call.result().map_or(0, end)),
        Buffer::Send if !in_place => call.input().map_or(0, |span| span.bytes),
        Buffer::Receive if !in_place => call.result().map_or(0, |span| span.bytes),
        _ => 0,
    }
}

/// Returns the part that holds the input of `rank`, if it has one.
pub(super) fn input(collective: Collective, request: &Request, rank: u32) -> Option<Part> {
    let span = Call { collective, request, rank }.input().filter(|span| span.bytes > 0)?;
    Some(if request.is_in_place(collective) {
        span.within_buffer(Buffer::Data)
    } else {
        Part { buffer: Buffer::Send, offset: 0, bytes: span.bytes }
    })
}

/// The required final contents of a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) part: Part,
    /// The first byte of the inputs from which it is made.
    pub(super) origin: u64,
    /// The first of the ranks whose combined inputs it holds, and the rank behind the last of them.
    pub(super) sources: (u32, u32),
}

/// Returns the required final contents of `rank`.
pub(super) fn results(collective: Collective, request: &Request, rank: u32) -> Vec<Expected> {
    let call = Call { collective, request, rank };
    let Some(result) = call.result() else { return Vec::new() };
    let (buffer, at) =
        if request.is_in_place(collective) { (Buffer::Data, result.offset) } else { (Buffer::Receive, 0) };
    let mut results = call.contents();
    results.retain(|expected| expected.part.bytes > 0);
    for expected in &mut results {
        expected.part.buffer = buffer;
        expected.part.offset += at;
    }
    results
}

fn end(span: Span) -> u64 {
    span.offset + span.bytes
}

/// One rank's side of a call. Its input and its result are ranges of the buffer that holds both if there is only one.
#[derive(Clone, Copy)]
struct Call<'r> {
    collective: Collective,
    request: &'r Request,
    rank: u32,
}

impl Call<'_> {
    fn is_root(self) -> bool {
        self.rank == self.request.root_rank()
    }

    /// Returns the blocks of all ranks as one range.
    fn all(self) -> Span {
        match self.request.counts() {
            Some(_) => self.request.message(),
            None => self.request.slots(0, self.request.comm_size()),
        }
    }

    fn block(self, rank: u32) -> Span {
        let Some(counts) = self.request.counts() else { return self.request.slot(rank) };
        self.span(counts.iter().copied(), rank)
    }

    /// Returns the `index`-th of the blocks that follow each other.
    fn span(self, mut counts: impl Iterator<Item = u64>, index: u32) -> Span {
        let element_size = self.request.bytes_per_element();
        let before: u64 = counts.by_ref().take(index as usize).sum();
        Span { offset: before * element_size, bytes: counts.next().unwrap_or(0) * element_size }
    }

    /// Returns the counts of what `rank` sends to each rank.
    fn row(self, rank: u32) -> impl Iterator<Item = u64> {
        let ranks = self.request.comm_size() as usize;
        let counts = self.request.counts().unwrap_or_default();
        (0..ranks).map(move |to| counts.get(rank as usize * ranks + to).copied().unwrap_or(0))
    }

    /// Returns the counts of what this rank receives from each rank.
    fn column(self) -> impl Iterator<Item = u64> {
        let ranks = self.request.comm_size() as usize;
        let counts = self.request.counts().unwrap_or_default();
        (0..ranks).map(move |from| counts.get(from * ranks + self.rank as usize).copied().unwrap_or(0))
    }

    fn whole(self, counts: impl Iterator<Item = u64>) -> Span {
        Span { offset: 0, bytes: counts.sum::<u64>() * self.request.bytes_per_element() }
    }

    fn input(self) -> Option<Span> {
        match self.collective {
            Collective::Barrier => None,
            Collective::Bcast | Collective::Scatter | Collective::Scatterv if !self.is_root() => None,
            Collective::Bcast
            | Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan
            | Collective::Custom => Some(self.request.message()),
            Collective::Gather | Collective::Gatherv | Collective::Allgather | Collective::Allgatherv => {
                Some(self.block(self.rank))
            }
            Collective::Scatter
            | Collective::Scatterv
            | Collective::Alltoall
            | Collective::ReduceScatterBlock
            | Collective::ReduceScatter => Some(self.all()),
            Collective::Alltoallv => Some(self.whole(self.row(self.rank))),
        }
    }

    fn result(self) -> Option<Span> {
        match self.collective {
            Collective::Barrier | Collective::Custom => None,
            Collective::Reduce | Collective::Gather | Collective::Gatherv if !self.is_root() => None,
            Collective::Bcast
            | Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => Some(self.request.message()),
            Collective::Gather
            | Collective::Gatherv
            | Collective::Allgather
            | Collective::Allgatherv
            | Collective::Alltoall => Some(self.all()),
            Collective::Scatter
            | Collective::Scatterv
            | Collective::ReduceScatterBlock
            | Collective::ReduceScatter => Some(self.block(self.rank)),
            Collective::Alltoallv => Some(self.whole(self.column())),
        }
    }

    /// Returns the contents of the result, from its first byte on.
    fn contents(self) -> Vec<Expected> {
        let ranks = self.request.comm_size();
        let root = self.request.root_rank();
        let of = |span: Span, origin: u64, sources: (u32, u32)| Expected {
            part: span.within_buffer(Buffer::Receive),
            origin,
            sources,
        };
        let from = |rank: u32| (rank, rank + 1);
        let whole = self.request.message();
        let own = self.block(self.rank);
        let own_bytes = Span { offset: 0, ..own };
        match self.collective {
            Collective::Barrier | Collective::Custom => Vec::new(),
            Collective::Bcast => vec![of(whole, 0, from(root))],
            Collective::Reduce | Collective::Allreduce => vec![of(whole, 0, (0, ranks))],
            Collective::Scan => vec![of(whole, 0, (0, self.rank + 1))],
            Collective::Exscan if self.rank == 0 => Vec::new(),
            Collective::Exscan => vec![of(whole, 0, (0, self.rank))],
            Collective::Scatter | Collective::Scatterv => vec![of(own_bytes, own.offset, from(root))],
            Collective::ReduceScatterBlock | Collective::ReduceScatter => {
                vec![of(own_bytes, own.offset, (0, ranks))]
            }
            Collective::Gather | Collective::Allgather => {
                (0..ranks).map(|source| of(self.request.slot(source), 0, from(source))).collect()
            }
            Collective::Alltoall => {
                (0..ranks).map(|source| of(self.request.slot(source), own.offset, from(source))).collect()
            }
            Collective::Gatherv | Collective::Allgatherv => {
                let counts = self.request.counts().unwrap_or_default();
                self.stacked(counts.iter().copied()).map(|(source, span)| of(span, 0, from(source))).collect()
            }
            Collective::Alltoallv => self
                .stacked(self.column())
                .map(|(source, span)| of(span, self.span(self.row(source), self.rank).offset, from(source)))
                .collect(),
        }
    }

    /// Returns blocks that follow each other, with their numbers.
    fn stacked(self, counts: impl Iterator<Item = u64>) -> impl Iterator<Item = (u32, Span)> {
        let element_size = self.request.bytes_per_element();
        let spans = counts.scan(0, move |at, count| {
            let span = Span { offset: *at, bytes: count * element_size };
            *at += span.bytes;
            Some(span)
        });
        (0..).zip(spans)
    }
}
