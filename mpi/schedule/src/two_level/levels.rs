//! The operations of a composition at one level.

use super::TwoLevel;
use super::nodes::Nodes;
use crate::algorithm::Algorithm;
use crate::builder::Parts;
use crate::{Buffer, Builder, Clusters, Collective, Part, RankSchedule, Request, Span, TooLarge};

/// A composition for a request.
pub(super) struct Levels<'r> {
    two: TwoLevel,
    pub(super) request: &'r Request,
    clusters: &'r Clusters,
    pub(super) nodes: Nodes,
}

impl<'r> Levels<'r> {
    /// Creates the levels of a request, whose clusters are those between which the outer composition sends: nodes, if the algorithm
    /// between them is a composition for these clusters.
    pub(super) fn new(two: &TwoLevel, request: &'r Request, clusters: &'r Clusters) -> Self {
        let nodes = if two.inter.count() > 1 {
            Nodes::new(&clusters.nodes(), request)
        } else {
            Nodes::new(clusters, request)
        };
        Self { two: two.clone(), request, clusters, nodes }
    }

    /// Returns whether the clusters consist of nodes.
    pub(super) fn clusters_of_nodes(&self) -> bool {
        self.clusters.per_node().is_some()
    }

    /// Returns the request of `ranks` ranks of a node.
    pub(super) fn request_within(&self, ranks: u32, root: u32) -> Request {
        let blocks = match self.two.collective() {
            Collective::Allgather | Collective::Alltoall => self.nodes.count(),
            _ => 1,
        };
        let nodes = || Clusters::of_ranks(ranks, self.clusters.per_node()?).ok();
        self.two.intra.request(self.request, (ranks, root), self.request.count() * u64::from(blocks), nodes)
    }

    /// Returns the request of the nodes, for the message of a column.
    pub(super) fn request_between(&self, column: u32) -> Request {
        let count = match self.two.collective() {
            Collective::Gather | Collective::Scatter | Collective::Alltoall => {
                self.request.count() * u64::from(self.nodes.most())
            }
            _ => self.slice(column).bytes / self.request.bytes_per_element(),
        };
        let nodes = (self.nodes.count(), self.nodes.root_node());
        self.two.inter.request(self.request, nodes, count, || Some(self.clusters.of_nodes()))
    }

    /// Returns the part of the message that a column exchanges between the nodes: all of it, but in an allreduce.
    pub(super) fn slice(&self, column: u32) -> Span {
        self.request.block(column, self.columns())
    }

    /// Returns the last column whose part of the message is not empty, or the first one.
    pub(super) fn last_column(&self) -> u32 {
        self.request.count().clamp(1, u64::from(self.columns())) as u32 - 1
    }

    fn columns(&self) -> u32 {
        if self.two.collective() == Collective::Allreduce { self.nodes.most() } else { 1 }
    }

    /// Adds the operations of a rank within its node. `parts` gives the places of parts in buffers other than scratch memory.
    pub(super) fn within<P: Into<Parts>>(
        &self,
        rank: u32,
        parts: impl Fn(Part) -> P,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        let request = self.request_within(nodes.ranks(node), nodes.column(nodes.leader(node)));
        let schedule = build(self.two.intra.algorithm(), &request, nodes.column(rank), ops)?;
        ops.embed(schedule, |column| nodes.rank(node, column), parts)
    }

    /// Adds the operations of a node between the nodes, each of which is represented by one of its ranks.
    pub(super) fn between<P: Into<Parts>>(
        &self,
        node: u32,
        representative: impl Fn(u32) -> u32,
        parts: impl Fn(Part) -> P,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        self.between_in(0, node, representative, parts, ops)
    }

    /// Adds the operations of a node between the nodes, for the message of a column.
    pub(super) fn between_in<P: Into<Parts>>(
        &self,
        column: u32,
        node: u32,
        representative: impl Fn(u32) -> u32,
        parts: impl Fn(Part) -> P,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let schedule = build(self.two.inter.algorithm(), &self.request_between(column), node, ops)?;
        ops.embed(schedule, representative, parts)
    }
}

/// Returns the place of a part that moves from a buffer to `to`.
pub(super) fn moved(from: Buffer, to: Part) -> impl Fn(Part) -> Part {
    move |part| if part.buffer == from { to.slice(part.offset, part.bytes) } else { part }
}

fn build(
    algorithm: &dyn Algorithm,
    request: &Request,
    rank: u32,
    ops: &mut Builder,
) -> Result<RankSchedule, TooLarge> {
    ops.inner(rank, |inner| algorithm.plan(request)(rank, inner))
}
