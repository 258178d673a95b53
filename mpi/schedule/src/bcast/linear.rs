//! A flat tree: the root sends the message to every rank.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree::{self, Place};

/// The flat tree; with segments, each goes to all ranks before the next one does (the paper's segmented flat tree).
pub(crate) static LINEAR: Entry = Entry {
    collective: Collective::Bcast,
    name: "linear",
    summary: "the root sends to every rank",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| {
        tree::bcast(request, &place(request.from_root(rank), request.comm_size()), ops)
    }),
};

fn place(number: u32, comm_size: u32) -> Place {
    match number {
        0 => Place { parent: None, children: (1..comm_size).collect() },
        _ => Place { parent: Some(0), children: Vec::new() },
    }
}
