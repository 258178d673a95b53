//! Bruck's algorithm: in every round each rank doubles its blocks, receiving from ever more distant ranks.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Buffer, Builder, Request, Symmetry, TooLarge};

/// Bruck's allgather (Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing
/// Systems", TPDS 8, 1997): ⌈log2 p⌉ rounds for every number of ranks. Blocks are sent from and received at their final
/// places, so no final rotation is needed.
pub(crate) static BRUCK: Entry = Entry::new(
    Collective::Allgather,
    "bruck",
    "every rank collects the blocks behind its own, twice as many in every round",
    Build::Local(allgather),
)
.alike(|_| Some(Symmetry::TURNS));

fn allgather(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let block = |from, to| vec![request.slots(from, to).within_buffer(Buffer::Receive)];
    ops.copy(
        request.own(rank).within_buffer(Buffer::Send),
        request.slot(rank).within_buffer(Buffer::Receive),
    )?;
    let mut known = 1;
    while known < group.size {
        let more = known.min(group.size - known);
        let ahead = group.ahead(known);
        ops.send(group.rank(group.behind(known)), group.around(group.me, more, block))?;
        ops.receive(group.rank(ahead), group.around(ahead, more, block))?;
        known += more;
    }
    Ok(())
}
