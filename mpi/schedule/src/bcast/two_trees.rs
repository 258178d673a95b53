//! Two trees over the same ranks, each for one half of the message on one rail.

use std::ops::Range;

use crate::Collective;
use crate::algorithm::{Build, Entry, Parameter, Plan};
use crate::two_trees::TwoTrees;
use crate::{Clusters, Request};

/// The multirail broadcast of Chiba, Endo and Matsuoka ("High-Performance MPI Broadcast Algorithm for Grid Environments
/// Utilizing Multi-lane NICs", 2007) for any number of ranks. No rank is an inner node of both trees, so every rank
/// receives two streams and sends at most two. Clusters form a chain; each half crosses to the next cluster once.
pub(crate) static MULTIRAIL: Entry = Entry::new(
    Collective::Bcast,
    "multirail",
    "two heaps, each for one half of the message on one of two rails",
    Build::Planned(multirail),
)
.in_segments()
.with(&[Parameter::Clusters]);

fn multirail(request: &Request) -> Plan {
    let trees = match &request.chosen_variant().clusters {
        None => {
            let mut trees = TwoTrees::new(request.comm_size());
            attach(&mut trees, &(1..request.comm_size()).collect::<Vec<_>>(), [0, 0]);
            trees
        }
        Some(clusters) => chain_of_clusters(clusters, request),
    };
    trees.plan(request)
}

/// Returns the trees over a chain of clusters, beginning with that of the root. Nodes with fewer targets than they could serve
/// feed the next cluster.
fn chain_of_clusters(clusters: &Clusters, request: &Request) -> TwoTrees {
    let mut chain: Vec<Range<u32>> = clusters.members().collect();
    let of_root = chain.iter().position(|ranks| ranks.contains(&request.root_rank()));
    chain.rotate_left(of_root.unwrap_or(0));
    let mut trees = TwoTrees::new(request.comm_size());
    let mut feeders = [0, 0];
    for ranks in chain {
        let mut members: Vec<u32> = ranks.map(|rank| request.from_root(rank)).filter(|&n| n != 0).collect();
        members.sort_unstable();
        feeders = attach(&mut trees, &members, feeders);
    }
    trees
}

/// Attaches the members of one cluster to the nodes that feed its two trees, and returns those that feed the next one.
///
/// The first half of the members are A1, A2, …, the others B1, B2, …. Tree A is the heap over A1, …, B1, …, tree B that
/// over B1, …, A1, …; the children of the i-th are the 2i-th and the next. So all inner nodes of a tree are of one half.
fn attach(trees: &mut TwoTrees, members: &[u32], feeders: [u32; 2]) -> [u32; 2] {
    let half = members.len().div_ceil(2);
    let (a, b) = members.split_at(half);
    for (tree, halves) in [(0, [a, b]), (1, [b, a])] {
        let heap = halves.concat();
        for (index, &member) in heap.iter().enumerate() {
            let parent = if index == 0 { feeders[tree] } else { heap[index.div_ceil(2) - 1] };
            trees.add(tree, parent, member);
        }
    }
    match (a.last(), b.last()) {
        (Some(&a), Some(&b)) if members.len().is_multiple_of(2) => [a, b],
        (Some(&a), _) => [a, a],
        (None, _) => feeders,
    }
}

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
