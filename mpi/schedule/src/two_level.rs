//! Compositions of an algorithm within nodes and another between them.

use super::algorithm::{Algorithm, Entry, Parameter, Plan, build_rank};
use super::{Buffer, Builder, Clusters, Part, RankSchedule, Request, RequestError, ScheduleError, TooLarge};
use crate::Collective;

/// Two algorithms of a collective, one within nodes of consecutive ranks, one between the nodes.
///
/// - **bcast**: between the leaders of the nodes, then within each node. The leader of the root's node is the root, that
///   of any other node is its first rank. Segments flow through both levels at once.
/// - **reduce**: within each node to its leader, then between the leaders.
/// - **allreduce**: within each node, then between the nodes in as many groups as a node has ranks: the j-th ranks of all
///   nodes form one group. If a node has fewer ranks than another, its ranks take the places of the missing ones in turn.
///
/// Nodes hold consecutive ranks in order, so operands are combined in rank order if both algorithms keep it.
#[derive(Clone, Debug)]
pub struct TwoLevel {
    intra: &'static Entry,
    inter: &'static Entry,
    division: Division,
    name: String,
}

/// The division of the ranks into nodes.
#[derive(Clone, Debug)]
enum Division {
    /// Of one size, except the last one.
    Equal(u32),
    Clusters(Clusters),
}

impl TwoLevel {
    /// Returns the composition of `intra` within nodes of `ranks_per_node` ranks, the last of which may have fewer, and
    /// `inter` between them.
    ///
    /// # Errors
    ///
    /// Fails if the two serve different collectives, or one that cannot be composed, or if nodes have no ranks.
    pub fn new(
        intra: &'static Entry,
        inter: &'static Entry,
        ranks_per_node: u32,
    ) -> Result<Self, RequestError> {
        if ranks_per_node == 0 {
            let message = "the number of ranks per node is 0; it must be at least 1";
            return Err(RequestError::new(message));
        }
        Self::divided(intra, inter, Division::Equal(ranks_per_node))
    }

    /// Returns the composition of `intra` within clusters, in the place of nodes, and `inter` between them.
    ///
    /// # Errors
    ///
    /// Fails if the two serve different collectives, or one that cannot be composed.
    pub fn in_clusters(
        intra: &'static Entry,
        inter: &'static Entry,
        clusters: Clusters,
    ) -> Result<Self, RequestError> {
        Self::divided(intra, inter, Division::Clusters(clusters))
    }

    fn divided(
        intra: &'static Entry,
        inter: &'static Entry,
        division: Division,
    ) -> Result<Self, RequestError> {
        let composed = [Collective::Bcast, Collective::Reduce, Collective::Allreduce];
        if intra.collective != inter.collective || !composed.contains(&intra.collective) {
            return Err(RequestError::new(format!(
                "`{} {}` and `{} {}` cannot be composed; use two broadcasts, two reduces or two allreduces",
                intra.collective, intra.name, inter.collective, inter.name
            )));
        }
        let name = format!("two_level({}, {})", intra.name, inter.name);
        Ok(Self { intra, inter, division, name })
    }
}

impl Algorithm for TwoLevel {
    fn collective(&self) -> Collective {
        self.intra.collective
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn cuts(&self) -> bool {
        self.intra.cuts() || self.inter.cuts()
    }

    fn accept(&self, request: &Request) -> Result<(), RequestError> {
        if let Some(clusters) = &request.chosen_variant().clusters {
            let name = format!("{} for clusters {clusters}", self.name);
            return Err(RequestError::lacks(&name, Parameter::Clusters.name()));
        }
        if let Division::Clusters(clusters) = &self.division
            && clusters.ranks() != u64::from(request.comm_size())
        {
            return Err(RequestError::clusters(clusters, request.comm_size()));
        }
        self.intra.accept(request)?;
        self.inter.accept(request)
    }

    fn rank(&self, request: &Request, rank: u32) -> Result<RankSchedule, ScheduleError> {
        if self.intra.may_leave_order(request) || self.inter.may_leave_order(request) {
            return Err(ScheduleError::Request(RequestError::unknown_order(self)));
        }
        build_rank(self, request, rank)
    }

    fn plan<'r>(&self, request: &'r Request) -> Plan<'r> {
        let levels =
            Levels { intra: self.intra, inter: self.inter, nodes: Nodes::new(&self.division, request) };
        Box::new(move |rank, ops| match levels.intra.collective {
            Collective::Bcast => levels.bcast(request, rank, ops),
            Collective::Reduce => levels.reduce(request, rank, ops),
            _ => levels.allreduce(request, rank, ops),
        })
    }
}

/// Ranks in nodes.
#[derive(Clone, Debug)]
struct Nodes {
    /// The first rank of each node, then the number of ranks.
    bounds: Vec<u32>,
    root: u32,
}

impl Nodes {
    fn new(division: &Division, request: &Request) -> Self {
        let comm_size = request.comm_size();
        let mut bounds: Vec<u32> = match division {
            Division::Equal(size) => (0..comm_size).step_by(*size as usize).collect(),
            Division::Clusters(clusters) => clusters.members().map(|ranks| ranks.start).collect(),
        };
        bounds.push(comm_size);
        Self { bounds, root: request.root_rank() }
    }

    fn count(&self) -> u32 {
        self.bounds.len() as u32 - 1
    }

    fn node_of(&self, rank: u32) -> u32 {
        self.bounds.partition_point(|&bound| bound <= rank) as u32 - 1
    }

    fn first(&self, node: u32) -> u32 {
        self.bounds[node as usize]
    }

    fn ranks(&self, node: u32) -> u32 {
        self.bounds[node as usize + 1] - self.first(node)
    }

    /// Returns the most ranks of a node.
    fn most(&self) -> u32 {
        self.bounds.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    fn leader(&self, node: u32) -> u32 {
        if node == self.node_of(self.root) { self.root } else { self.first(node) }
    }

    /// Returns the rank of `node` that takes part for `column`, which may exceed the number of its ranks.
    fn stand_in(&self, node: u32, column: u32) -> u32 {
        self.first(node) + column % self.ranks(node)
    }
}

struct Levels {
    intra: &'static Entry,
    inter: &'static Entry,
    nodes: Nodes,
}

impl Levels {
    fn bcast(&self, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        if rank == nodes.leader(node) {
            let between = self.between(request, node, ops)?;
            ops.embed(between, |node| nodes.leader(node), |part| part)?;
        }
        let within = self.within(request, rank, ops)?;
        ops.embed(within, |local| nodes.first(node) + local, |part| part)
    }

    fn reduce(&self, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        let is_leader = rank == nodes.leader(node);
        // The result of the node, which a single rank has from the start. Between the nodes it is the input.
        let combined = if is_leader && nodes.ranks(node) > 1 {
            ops.scratch(request.bytes())
        } else {
            request.message().within_buffer(Buffer::Send)
        };
        let moved = |from: Buffer| {
            move |part: Part| if part.buffer == from { combined.slice(part.offset, part.bytes) } else { part }
        };
        if nodes.ranks(node) > 1 {
            let within = self.within(request, rank, ops)?;
            ops.embed(within, |local| nodes.first(node) + local, moved(Buffer::Receive))?;
        }
        if is_leader {
            let between = self.between(request, node, ops)?;
            ops.embed(between, |node| nodes.leader(node), moved(Buffer::Send))?;
        }
        Ok(())
    }

    fn allreduce(&self, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        let result = request.message().within_buffer(Buffer::Receive);
        let combined = if nodes.ranks(node) > 1 && nodes.count() > 1 {
            ops.scratch(request.bytes())
        } else if nodes.ranks(node) > 1 {
            result
        } else {
            request.message().within_buffer(Buffer::Send)
        };
        let moved = move |from: Buffer, to: Part| {
            move |part: Part| if part.buffer == from { to.slice(part.offset, part.bytes) } else { part }
        };
        if nodes.ranks(node) > 1 {
            let within = self.within(request, rank, ops)?;
            ops.embed(within, |local| nodes.first(node) + local, moved(Buffer::Receive, combined))?;
        }
        if nodes.count() == 1 {
            return if nodes.ranks(node) > 1 { Ok(()) } else { ops.copy(combined, result) };
        }
        for column in 0..nodes.most() {
            if nodes.stand_in(node, column) != rank {
                continue;
            }
            // Only a rank's own column ends in its receive buffer.
            let into = if nodes.first(node) + column == rank { result } else { ops.scratch(request.bytes()) };
            let inputs = moved(Buffer::Send, combined);
            let results = moved(Buffer::Receive, into);
            let place = |part: Part| if part.buffer == Buffer::Send { inputs(part) } else { results(part) };
            let between = self.between(request, node, ops)?;
            ops.embed(between, |node| nodes.stand_in(node, column), place)?;
        }
        Ok(())
    }

    /// Builds the operations of a rank within its node.
    fn within(&self, request: &Request, rank: u32, ops: &mut Builder) -> Result<RankSchedule, TooLarge> {
        let nodes = &self.nodes;
        let node = nodes.node_of(rank);
        let root = nodes.leader(node) - nodes.first(node);
        build(
            self.intra,
            &request.part(nodes.ranks(node), root, request.count()),
            rank - nodes.first(node),
            ops,
        )
    }

    /// Builds the operations of a node among the nodes.
    fn between(&self, request: &Request, node: u32, ops: &mut Builder) -> Result<RankSchedule, TooLarge> {
        let root = self.nodes.node_of(self.nodes.root);
        build(self.inter, &request.part(self.nodes.count(), root, request.count()), node, ops)
    }
}

fn build(
    algorithm: &Entry,
    request: &Request,
    rank: u32,
    ops: &mut Builder,
) -> Result<RankSchedule, TooLarge> {
    ops.inner(rank, |inner| algorithm.plan(request)(rank, inner))
}
