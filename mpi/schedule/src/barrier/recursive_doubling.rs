//! Recursive doubling: in every round, pairs signal each other.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Folded;
use crate::{Builder, Request, Symmetry, TooLarge};

/// Recursive doubling. If the number of ranks is not a power of two, as many neighbours as needed signal first and are released last.
pub(crate) static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Barrier,
    "recursive_doubling",
    "pairs signal each other, at twice the distance in every round",
    Build::Local(barrier),
)
.alike(Symmetry::exchanges);

fn barrier(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let folded = Folded::new(request.comm_size(), rank);
    let Some(node) = folded.node() else {
        let Some(partner) = folded.partner() else { return Ok(()) };
        ops.signal(partner)?;
        return ops.await_signal(partner);
    };
    if let Some(partner) = folded.partner() {
        ops.await_signal(partner)?;
        ops.hold([ops.len() - 1]);
    }
    for bit in 0..folded.nodes.trailing_zeros() {
        let peer = folded.rank(node ^ 1 << bit);
        ops.signal(peer)?;
        ops.await_signal(peer)?;
        ops.hold([ops.len() - 1]);
    }
    match folded.partner() {
        Some(partner) => ops.signal(partner),
        None => Ok(()),
    }
}
