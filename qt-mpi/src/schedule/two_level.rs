//! Compositions of an algorithm within nodes and another between them.

use super::algorithm::{Algorithm, Entry, Plan, build_rank};
use super::{Buffer, Builder, Part, RankSchedule, Request, RequestError, ScheduleError, TooLarge};
use crate::Collective;

/// Two algorithms of a collective, one within nodes of consecutive ranks, one between the nodes.
///
/// - **bcast**: between the leaders of the nodes, then within each node. The leader of the root's node is the root, that
///   of any other node is its first rank. Segments flow through both levels at once.
/// - **reduce**: within each node to its leader, then between the leaders.
/// - **allreduce**: within each node, then between the nodes in as many groups as a node has ranks: the j-th ranks of all
///   nodes form one group. If the last node has fewer ranks, its ranks take the places of the missing ones in turn.
///
/// Nodes hold consecutive ranks in order, so operands are combined in rank order if both algorithms keep it.
#[derive(Clone, Debug)]
pub struct TwoLevel {
    intra: &'static Entry,
    inter: &'static Entry,
    ranks_per_node: u32,
    name: String,
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
        let composed = [Collective::Bcast, Collective::Reduce, Collective::Allreduce];
        if intra.collective != inter.collective || !composed.contains(&intra.collective) {
            return Err(RequestError::NotComposed {
                intra: format!("{} {}", intra.collective, intra.name),
                inter: format!("{} {}", inter.collective, inter.name),
            });
        }
        if ranks_per_node == 0 {
            return Err(RequestError::NoRanksPerNode);
        }
        let name = format!("two_level({}, {})", intra.name, inter.name);
        Ok(Self { intra, inter, ranks_per_node, name })
    }

    /// Returns the number of ranks of each node; the last node may have fewer.
    pub const fn ranks_per_node(&self) -> u32 {
        self.ranks_per_node
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
        if let Some(clusters) = request.chosen_variant().clusters {
            return Err(RequestError::Parameter {
                algorithm: format!("{} for clusters {clusters}", self.name),
                parameter: "form for clusters",
                others: vec!["multirail"],
            });
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
        let levels = Levels {
            intra: self.intra,
            inter: self.inter,
            nodes: Nodes {
                comm_size: request.comm_size(),
                size: self.ranks_per_node,
                root: request.root_rank(),
            },
        };
        Box::new(move |rank, ops| match levels.intra.collective {
            Collective::Bcast => levels.bcast(request, rank, ops),
            Collective::Reduce => levels.reduce(request, rank, ops),
            _ => levels.allreduce(request, rank, ops),
        })
    }
}

/// Ranks in nodes of the same size; the last one may be smaller.
#[derive(Clone, Copy, Debug)]
struct Nodes {
    comm_size: u32,
    size: u32,
    root: u32,
}

impl Nodes {
    fn count(self) -> u32 {
        self.comm_size.div_ceil(self.size)
    }

    fn node_of(self, rank: u32) -> u32 {
        rank / self.size
    }

    fn first(self, node: u32) -> u32 {
        node * self.size
    }

    fn ranks(self, node: u32) -> u32 {
        self.size.min(self.comm_size - self.first(node))
    }

    fn leader(self, node: u32) -> u32 {
        if node == self.node_of(self.root) { self.root } else { self.first(node) }
    }

    /// Returns the rank of `node` that takes part for `column`, which may exceed the number of its ranks.
    fn stand_in(self, node: u32, column: u32) -> u32 {
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
        let nodes = self.nodes;
        let node = nodes.node_of(rank);
        if rank == nodes.leader(node) {
            let between = self.between(request, node, ops)?;
            ops.embed(between, |node| nodes.leader(node), |part| part)?;
        }
        let within = self.within(request, rank, ops)?;
        ops.embed(within, |local| nodes.first(node) + local, |part| part)
    }

    fn reduce(&self, request: &Request, rank: u32, ops: &mut Builder) -> Result<(), TooLarge> {
        let nodes = self.nodes;
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
        let nodes = self.nodes;
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
        for column in 0..nodes.size.min(nodes.comm_size) {
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
        let nodes = self.nodes;
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
