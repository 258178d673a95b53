//! Pairwise exchange: one exchange after the other.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Builder, Request, Symmetry, TooLarge};

/// The pairwise exchange: a rank begins a round when it has finished the previous one. If the number of ranks is a power of two,
/// it exchanges with one rank in each round, as in MPICH; otherwise it sends ahead and receives from behind.
pub(crate) static PAIRWISE: Entry =
    Entry::new(Collective::Alltoall, "pairwise", "one exchange after the other", Build::Local(alltoall))
        .alike(|request| Symmetry::exchanges(request).or(Some(Symmetry::TURNS)));

fn alltoall(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    ops.copy(request.sent(rank, rank), request.received(rank, rank))?;
    for distance in 1..group.size {
        let (to, from) = if group.size.is_power_of_two() {
            (rank ^ distance, rank ^ distance)
        } else {
            (group.ahead(distance), group.behind(distance))
        };
        let before = ops.len();
        ops.receive(from, request.received(rank, from))?;
        ops.send(to, request.sent(rank, to))?;
        ops.hold(before..ops.len());
    }
    Ok(())
}
