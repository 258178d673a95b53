//! A binary tree: every rank passes the message to two others.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree::{self, Place};
use crate::{Library, Request};

/// The binary tree: that of a heap, or Open MPI's, whose last level is spread over both subtrees.
pub(crate) static BINARY: Entry =
    Entry::new(Collective::Bcast, "binary", "a binary tree", Build::Tree(place)).in_segments();

fn place(request: &Request, number: u32) -> Place {
    match request.chosen_variant().library {
        Some(Library::OpenMpi) => tree::alternating(number, request.comm_size()),
        _ => heap(number, request.comm_size()),
    }
}

/// Returns the place in the tree where the children of v are 2v + 1 and 2v + 2.
fn heap(number: u32, comm_size: u32) -> Place {
    let children = (2 * number + 1..comm_size).take(2);
    Place { parent: number.checked_sub(1).map(|before| before / 2), children: children.collect() }
}
