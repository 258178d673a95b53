//! Barriers.

use super::algorithm::{Build, Entry};
use super::group::{Folded, Group};
use super::{Builder, Collective, Request, Symmetry, TooLarge, tree};

pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &LINEAR,
    &DISSEMINATION,
    &RECURSIVE_DOUBLING,
    &TREE,
];

/// Two rounds of messages, all of them to or from rank 0.
static LINEAR: Entry = Entry::new(
    Collective::Barrier,
    "linear",
    "all ranks report to rank 0, which answers them",
    Build::Local(linear),
);

fn linear(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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

/// The dissemination barrier of Hensgen, Finkel and Manber ("Two algorithms for barrier synchronization", 1988):
/// ⌈log2 p⌉ rounds. Open MPI calls it `bruck`.
static DISSEMINATION: Entry = Entry::new(
    Collective::Barrier,
    "dissemination",
    "every rank signals the rank 2^k ahead in round k",
    Build::Local(dissemination),
)
.alike(|_| Some(Symmetry::TURNS));

fn dissemination(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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

/// Recursive doubling. If the number of ranks is not a power of two, as many neighbours as needed signal first and are released last.
static RECURSIVE_DOUBLING: Entry = Entry::new(
    Collective::Barrier,
    "recursive_doubling",
    "pairs signal each other, at twice the distance in every round",
    Build::Local(recursive_doubling),
)
.alike(Symmetry::exchanges);

fn recursive_doubling(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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

/// Up and down a binomial tree whose root is rank 0.
static TREE: Entry =
    Entry::new(Collective::Barrier, "tree", "up a binomial tree and down again", Build::Local(up_and_down));

fn up_and_down(request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
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
