//! The division of the ranks of a request into nodes.

use std::ops::Range;

use crate::request::SENDERS;
use crate::{Clusters, Request};

/// Ranks in nodes.
///
/// There are as many columns as the largest node has ranks. The ranks of a node share them evenly, each taking consecutive ones, of which
/// the first one is its own: in nodes of one size, the column of a rank is its number in its node.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// The first rank of each node, then the number of ranks.
    bounds: Vec<u32>,
    /// A node with the most ranks.
    pub(super) largest: u32,
    root: u32,
    /// The ranks node by node, and the place of each rank among them, unless nodes have consecutive ranks.
    order: Option<[Vec<u32>; 2]>,
}

impl Nodes {
    pub(super) fn new(clusters: &Clusters, request: &Request) -> Self {
        let first = clusters.members().map(|ranks| ranks.start);
        let sizes = (0..).zip(clusters.members());
        let largest = sizes.max_by_key(|(_, ranks)| ranks.len()).map_or(0, |(node, _)| node);
        let order = clusters.is_cyclic().then(|| {
            let places = clusters.places();
            let mut ranks = vec![0; places.len()];
            for (rank, &place) in (0..).zip(&places) {
                ranks[place as usize] = rank;
            }
            [ranks, places]
        });
        let bounds = first.chain([request.comm_size()]).collect();
        Self { bounds, largest, root: request.root_rank(), order }
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

    /// Returns the place of the first rank of a node, or the number of ranks for the number of nodes.
    pub(super) fn first(&self, node: u32) -> u32 {
        self.bounds[node as usize]
    }

    /// Returns the number of a rank among those of its node.
    pub(super) fn number(&self, rank: u32) -> u32 {
        self.place(rank) - self.first(self.node_of(rank))
    }

    pub(super) fn rank(&self, node: u32, number: u32) -> u32 {
        self.at(self.first(node) + number)
    }

    pub(super) fn ranks(&self, node: u32) -> u32 {
        self.first(node + 1) - self.first(node)
    }

    /// Returns the most ranks of a node, which is the number of columns.
    pub(super) fn most(&self) -> u32 {
        self.ranks(self.largest)
    }

    pub(super) fn are_equal(&self) -> bool {
        (0..self.count()).all(|node| self.ranks(node) == self.most())
    }

    pub(super) fn root_node(&self) -> u32 {
        self.node_of(self.root)
    }

    /// Returns the root in its node, and the first rank of any other node.
    pub(super) fn leader(&self, node: u32) -> u32 {
        if node == self.root_node() { self.root } else { self.rank(node, 0) }
    }

    /// Returns the first column of the rank of a node with a number, or the number of columns if there is no such rank.
    pub(super) fn first_column(&self, node: u32, number: u32) -> u32 {
        (u64::from(number) * u64::from(self.most())).div_ceil(u64::from(self.ranks(node))) as u32
    }

    /// Returns the columns for which a rank takes part.
    pub(super) fn columns(&self, rank: u32) -> Range<u32> {
        let (node, number) = (self.node_of(rank), self.number(rank));
        self.first_column(node, number)..self.first_column(node, number + 1)
    }

    /// Returns the rank of `node` that takes part for `column`.
    pub(super) fn stand_in(&self, node: u32, column: u32) -> u32 {
        let number = u64::from(column) * u64::from(self.ranks(node)) / u64::from(self.most());
        self.rank(node, number as u32)
    }

    /// Returns the rank of `node` that takes part for `column` if its ranks take columns in turn, so that it need not wait for the one before.
    pub(super) fn in_turn(&self, node: u32, column: u32) -> u32 {
        self.rank(node, column % self.ranks(node))
    }

    /// Returns the rank of `node` whose own column is `column`.
    pub(super) fn member(&self, node: u32, column: u32) -> Option<u32> {
        let rank = self.stand_in(node, column);
        (self.first_column(node, self.number(rank)) == column).then_some(rank)
    }

    pub(super) fn by_column(&self, request: &Request) -> Columns {
        let of_node = |node| (0..self.ranks(node)).map(move |number| (node, number));
        let mut ranks: Vec<(u32, u32)> = (0..self.count())
            .flat_map(of_node)
            .map(|(node, number)| (self.first_column(node, number), self.rank(node, number)))
            .collect();
        ranks.sort_by_key(|&(column, _)| column);
        let runs = ranks.iter().scan(0, |sum, &(_, rank)| {
            *sum += request.runs_of(SENDERS, rank);
            Some(*sum)
        });
        let before: Vec<u64> = [0].into_iter().chain(runs).collect();
        let first = |column| ranks.partition_point(|&(of, _)| of < column);
        let starts = (0..=self.most()).map(|column| before[first(column)]).collect();
        Columns { ranks: ranks.into_iter().map(|(_, rank)| rank).collect(), before, starts }
    }
}

/// The ranks column by column, and node by node in each, with the runs of which their blocks consist.
pub(super) struct Columns {
    ranks: Vec<u32>,
    /// The runs before each rank, and all of them.
    before: Vec<u64>,
    /// The runs before each column, and all of them.
    starts: Vec<u64>,
}

impl Columns {
    pub(super) fn runs_before(&self, column: u32) -> u64 {
        self.starts[column as usize]
    }

    /// Returns the rank whose block has a run, and the first run of the block.
    pub(super) fn of_run(&self, run: u64) -> (u32, u64) {
        let index = self.before.partition_point(|&before| before <= run) - 1;
        (self.ranks[index], self.before[index])
    }
}
