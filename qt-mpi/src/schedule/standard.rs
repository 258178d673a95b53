//! The MPI standard's rules for the buffers of a collective: their sizes and their contents before and after.

use super::{Buffer, Part, Request, Span};
use crate::Collective;

/// Returns the size of `buffer` at `rank` in bytes, which is 0 if the call has no such buffer or the standard calls it not
/// significant there. Scratch memory has no size of its own.
pub(crate) fn buffer_bytes(collective: Collective, request: &Request, rank: u32, buffer: Buffer) -> u64 {
    let one = request.bytes();
    let all = u64::from(request.comm_size()) * one;
    let is_root = rank == request.root_rank();
    match (collective, buffer) {
        (Collective::Bcast, Buffer::Data) => one,
        (_, Buffer::Scratch | Buffer::Data) | (Collective::Barrier | Collective::Bcast, _) => 0,
        (Collective::Reduce | Collective::Gather, Buffer::Receive) | (Collective::Scatter, Buffer::Send)
            if !is_root =>
        {
            0
        }
        (Collective::Gather | Collective::Allgather | Collective::Alltoall, Buffer::Receive)
        | (Collective::Scatter | Collective::Alltoall | Collective::ReduceScatterBlock, Buffer::Send) => all,
        (_, Buffer::Send | Buffer::Receive) => one,
    }
}

/// Returns the part that holds the input of `rank`, if it has one.
pub(super) fn input(collective: Collective, request: &Request, rank: u32) -> Option<Part> {
    let buffer = match collective {
        Collective::Bcast if rank != request.root_rank() => return None,
        Collective::Bcast => Buffer::Data,
        _ => Buffer::Send,
    };
    let bytes = buffer_bytes(collective, request, rank, buffer);
    (bytes > 0).then_some(Part { buffer, offset: 0, bytes })
}

/// The required final contents of a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    /// The range.
    pub(super) part: Part,
    /// The first byte of the inputs from which it is made.
    pub(super) origin: u64,
    /// The rank whose input it is, or `None` for the combined inputs of all ranks.
    pub(super) source: Option<u32>,
}

/// Returns the required final contents of `rank`.
pub(super) fn results(collective: Collective, request: &Request, rank: u32) -> Vec<Expected> {
    let whole = request.message();
    let root = request.root_rank();
    let of = |span: Span, origin: u64, source| Expected {
        part: span.within_buffer(Buffer::Receive),
        origin,
        source,
    };
    let own_slot = request.slot(rank).offset;
    let every = 0..request.comm_size();
    let mut results = match collective {
        Collective::Bcast => {
            vec![Expected { part: whole.within_buffer(Buffer::Data), origin: 0, source: Some(root) }]
        }
        Collective::Reduce if rank == root => vec![of(whole, 0, None)],
        Collective::Allreduce => vec![of(whole, 0, None)],
        Collective::Scatter => vec![of(whole, own_slot, Some(root))],
        Collective::Gather if rank != root => Vec::new(),
        Collective::Gather | Collective::Allgather => {
            every.map(|source| of(request.slot(source), 0, Some(source))).collect()
        }
        Collective::Alltoall => {
            every.map(|source| of(request.slot(source), own_slot, Some(source))).collect()
        }
        Collective::ReduceScatterBlock => vec![of(whole, own_slot, None)],
        Collective::Reduce | Collective::Barrier => Vec::new(),
    };
    results.retain(|expected| expected.part.bytes > 0);
    results
}
