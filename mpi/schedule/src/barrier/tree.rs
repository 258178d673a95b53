//! A binomial tree: reports travel up, and the answer travels down.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree;
use crate::{Builder, Request, TooLarge};

/// Up and down a binomial tree whose root is rank 0.
pub(crate) static TREE: Entry =
    Entry::new(Collective::Barrier, "tree", "up a binomial tree and down again", Build::Local(barrier));

fn barrier(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let place = tree::farthest_first(rank, request.comm_size());
    for &child in place.children.iter().rev() {
        ops.await_signal(child)?;
    }
    ops.hold(0..ops.len());
    if let Some(parent) = place.parent {
        ops.signal(parent)?;
        ops.await_signal(parent)?;
        ops.hold([ops.len() - 1]);
    }
    for &child in &place.children {
        ops.signal(child)?;
    }
    Ok(())
}
