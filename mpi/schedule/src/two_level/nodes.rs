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
    /// The ranks node by node, and the place of each rank among them, unless nodes have consecutive ranks.
    order: Option<[Vec<u32>; 2]>,
}

impl Nodes {
    pub(super) fn new(clusters: &Clusters, request: &Request) -> Self {
        let first = clusters.members().map(|ranks| ranks.start);
        let most = clusters.members().map(|ranks| ranks.end - ranks.start).max().unwrap_or(0);
        let order = clusters.is_cyclic().then(|| {
            let places = clusters.places();
            let mut ranks = vec![0; places.len()];
            for (rank, &place) in (0..).zip(&places) {
                ranks[place as usize] = rank;
            }
            [ranks, places]
        });
        let bounds = first.chain([request.comm_size()]).collect();
        Self { bounds, most, root: request.root_rank(), order }
    }

    pub(super) fn count(&self) -> u32 {
        self.bounds.len() as u32 - 1
    }

    pub(super) fn node_of(&self, rank: u32) -> u32 {
        let place = self.place(rank);
        self.bounds.partition_point(|&bound| bound <= place) as u32 - 1
    }

    /// Returns the rank at a place, counted node by node.
    pub(super) fn at(&self, place: u32) -> u32 {
        self.order.as_ref().map_or(place, |[ranks, _]| ranks[place as usize])
    }

    /// Returns whether the ranks of a node do not follow each other.
    pub(super) fn are_cyclic(&self) -> bool {
        self.order.is_some()
    }

    fn place(&self, rank: u32) -> u32 {
        self.order.as_ref().map_or(rank, |[_, places]| places[rank as usize])
    }

    /// Returns the place of the first rank of a node.
    pub(super) fn first(&self, node: u32) -> u32 {
        self.bounds[node as usize]
    }

    /// Returns the number of a rank among those of its node.
    pub(super) fn column(&self, rank: u32) -> u32 {
        self.place(rank) - self.first(self.node_of(rank))
    }

    /// Returns the rank of a node with a number.
    pub(super) fn rank(&self, node: u32, column: u32) -> u32 {
        self.at(self.first(node) + column)
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
        if node == self.root_node() { self.root } else { self.rank(node, 0) }
    }

    /// Returns the rank of `node` that takes part for `column`, which may exceed the number of its ranks.
    pub(super) fn stand_in(&self, node: u32, column: u32) -> u32 {
        self.rank(node, column % self.ranks(node))
    }
}
