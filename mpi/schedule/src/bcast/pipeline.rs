//! A chain: every rank passes the message to the next one.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree::{self, Place};

/// One chain of all ranks; with segments, all of its links work at once.
pub(crate) static PIPELINE: Entry = Entry {
    collective: Collective::Bcast,
    name: "pipeline",
    summary: "one chain of all ranks",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| {
        tree::bcast(request, &place(request.from_root(rank), request.comm_size()), ops)
    }),
};

/// Returns the place in the chain.
pub(super) fn place(number: u32, comm_size: u32) -> Place {
    Place { parent: number.checked_sub(1), children: (number + 1..comm_size).take(1).collect() }
}
