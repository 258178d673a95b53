//! All ranks report to rank 0, which answers them.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::{Builder, Request, TooLarge};

/// Two rounds of messages, all of them to or from rank 0.
pub(crate) static LINEAR: Entry = Entry::new(
    Collective::Barrier,
    "linear",
    "all ranks report to rank 0, which answers them",
    Build::Local(barrier),
);

fn barrier(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    if rank > 0 {
        ops.signal(0)?;
        return ops.await_signal(0);
    }
    for other in 1..request.comm_size() {
        ops.await_signal(other)?;
    }
    ops.hold(0..ops.len());
    for other in 1..request.comm_size() {
        ops.signal(other)?;
    }
    Ok(())
}
