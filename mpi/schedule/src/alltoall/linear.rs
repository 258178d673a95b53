//! All messages at once, in rank order.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{Builder, Request, TooLarge};

/// Every rank serves rank 0, rank 1 and so on, so all of them queue at the same rank.
pub(crate) static LINEAR: Entry =
    Entry::new(Collective::Alltoall, "linear", "all messages at once, in rank order", Build::Local(alltoall));

fn alltoall(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for peer in (0..request.comm_size()).filter(|&peer| peer != rank) {
        ops.receive(peer, request.received(rank, peer))?;
        ops.send(peer, request.sent(rank, peer))?;
    }
    Ok(())
}
