//! Dissemination: in round k every rank signals the rank 2^k ahead.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::group::Group;
use crate::{Builder, Request, Symmetry, TooLarge};

/// The dissemination barrier of Hensgen, Finkel and Manber ("Two algorithms for barrier synchronization", 1988):
/// ⌈log2 p⌉ rounds. Open MPI calls it `bruck`.
pub(crate) static DISSEMINATION: Entry = Entry::new(
    Collective::Barrier,
    "dissemination",
    "every rank signals the rank 2^k ahead in round k",
    Build::Local(barrier),
)
.alike(|_| Some(Symmetry::TURNS));

fn barrier(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
    let group = Group::all(request, rank);
    let mut distance = 1;
    while distance < group.size {
        ops.signal(group.ahead(distance))?;
        ops.await_signal(group.behind(distance))?;
        ops.hold([ops.len() - 1]);
        distance *= 2;
    }
    Ok(())
}
