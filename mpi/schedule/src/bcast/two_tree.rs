//! Two binary trees over the same ranks, each for one half of the message.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::two_trees::TwoTrees;

/// The two-tree broadcast of Sanders, Speck and Träff ("Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan", Parallel Computing 35, 2009).
pub(crate) static TWO_TREE: Entry = Entry::new(
    Collective::Bcast,
    "two_tree",
    "two in-order binary trees, each for one half of the message",
    Build::Planned(|request| in_order(request.comm_size()).plan(request)),
)
.in_segments();

/// Returns an in-order tree over the ranks 1..p, counted from the root, and its mirror image. If a rank would then have
/// children in both, the second tree is the first one shifted by one rank.
fn in_order(comm_size: u32) -> TwoTrees {
    let mut trees = TwoTrees::new(comm_size);
    let last = comm_size - 1;
    let other = |node: u32| match node {
        0 => 0,
        node if last.is_multiple_of(2) => last + 1 - node,
        node => node % last + 1,
    };
    let mut edges = Vec::new();
    // A subtree over from..=to hangs on a parent; its root is the largest power of two from its start.
    let mut open = vec![(0, 1, last)];
    while let Some((parent, from, to)) = open.pop() {
        if from > to {
            continue;
        }
        let node = from - 1 + (1 << (to - from + 1).ilog2());
        edges.push((parent, node));
        open.push((node, node + 1, to));
        open.push((node, from, node - 1));
    }
    for (parent, node) in edges {
        trees.add(0, parent, node);
        trees.add(1, other(parent), other(node));
    }
    trees
}
