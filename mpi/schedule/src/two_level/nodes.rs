//! The division of the ranks of a request into nodes.

use crate::{Clusters, Request};

/// Ranks in nodes.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// The first rank of each node, then the number of ranks.
    bounds: Vec<u32>,
    /// The most ranks of a node.
    most: u32,
    root: u32,
}

impl Nodes {
    pub(super) fn new(clusters: &Clusters, request: &Request) -> Self {
        let first = clusters.members().map(|ranks| ranks.start);
        let most = clusters.members().map(|ranks| ranks.end - ranks.start).max().unwrap_or(0);
        Self { bounds: first.chain([request.comm_size()]).collect(), most, root: request.root_rank() }
    }

    pub(super) fn count(&self) -> u32 {
        self.bounds.len() as u32 - 1
    }

    pub(super) fn node_of(&self, rank: u32) -> u32 {
        self.bounds.partition_point(|&bound| bound <= rank) as u32 - 1
    }

    pub(super) fn first(&self, node: u32) -> u32 {
        self.bounds[node as usize]
    }

    pub(super) fn ranks(&self, node: u32) -> u32 {
        self.bounds[node as usize + 1] - self.first(node)
    }

    /// Returns the most ranks of a node.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// Returns whether all nodes have the same number of ranks.
    pub(super) fn are_equal(&self) -> bool {
        (0..self.count()).all(|node| self.ranks(node) == self.most)
    }

    pub(super) fn root_node(&self) -> u32 {
        self.node_of(self.root)
    }

    /// Returns the root in its node, and the first rank of any other node.
    pub(super) fn leader(&self, node: u32) -> u32 {
        if node == self.root_node() { self.root } else { self.first(node) }
    }

    /// Returns the rank of `node` that takes part for `column`, which may exceed the number of its ranks.
    pub(super) fn stand_in(&self, node: u32, column: u32) -> u32 {
        self.first(node) + column % self.ranks(node)
    }
}
