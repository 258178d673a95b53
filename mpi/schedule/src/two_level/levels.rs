//! The operations of a composition at one level.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::TwoLevel;
use super::level::Level;
use super::nodes::{Columns, Nodes};
use crate::algorithm::Algorithm;
use crate::builder::Parts;
use crate::request::{RECEIVERS, SENDERS};
use crate::{Buffer, Builder, Clusters, Collective, Part, Plan, Request, Span, TooLarge};

pub(super) struct Levels {
    two: TwoLevel,
    pub(super) request: Request,
    clusters: Clusters,
    pub(super) nodes: Nodes,
    columns: OnceCell<Columns>,
    within: Plans,
    between: Plans,
}

impl Levels {
    /// Creates the levels of a request, whose clusters are those between which the outer composition sends: nodes, if the algorithm
    /// between them is a composition for these clusters.
    pub(super) fn new(two: &TwoLevel, request: &Request, clusters: &Clusters) -> Self {
        let nodes = if two.inter.count() > 1 { clusters.nodes() } else { clusters.clone() };
        Self {
            two: two.clone(),
            request: request.clone(),
            clusters: clusters.clone(),
            nodes: Nodes::new(&nodes, request),
            columns: OnceCell::new(),
            within: Plans::default(),
            between: Plans::default(),
        }
    }

    pub(super) fn clusters_of_nodes(&self) -> bool {
        self.clusters.per_node().is_some()
    }

    pub(super) fn by_column(&self) -> &Columns {
        self.columns.get_or_init(|| self.nodes.by_column(&self.request))
    }

    /// Returns the request of the ranks of a node.
    pub(super) fn request_within(&self, node: u32) -> Request {
        let nodes = &self.nodes;
        let ranks = nodes.ranks(node);
        let clusters = || Clusters::of_ranks(ranks, self.clusters.per_node()?).ok();
        let root = nodes.number(nodes.leader(node));
        let request = self.two.intra.request(&self.request, (ranks, root), self.request.count(), clusters);
        let first = nodes.first(node);
        let of_places = |side| {
            let before = |place| self.request.runs_before(side, place);
            (first..=first + ranks).map(|place| before(place) - before(first)).collect()
        };
        let runs = |number| self.by_column().runs_before(nodes.first_column(node, number));
        let of_columns = || (0..=ranks).map(runs).collect();
        request.with_runs(match self.two.collective() {
            Collective::Gather | Collective::Scatter => [Some(of_places(SENDERS)), None],
            Collective::Allgather => [Some(of_columns()), None],
            Collective::Alltoall => [Some(of_columns()), Some(of_places(RECEIVERS))],
            _ => [None, None],
        })
    }

    /// Returns the request of the nodes, for the message of a column.
    pub(super) fn request_between(&self, column: u32) -> Request {
        let nodes = &self.nodes;
        let count = self.slice(column).bytes / self.request.bytes_per_element();
        let clusters = || Some(self.clusters.of_nodes());
        let request =
            self.two.inter.request(&self.request, (nodes.count(), nodes.root_node()), count, clusters);
        let of_nodes = |side| {
            (0..=nodes.count()).map(|node| self.request.runs_before(side, nodes.first(node))).collect()
        };
        request.with_runs(match self.two.collective() {
            Collective::Gather | Collective::Scatter => [Some(of_nodes(SENDERS)), None],
            Collective::Allgather => [Some(self.before_members(column)), None],
            Collective::Alltoall => [Some(self.before_members(column)), Some(of_nodes(RECEIVERS))],
            _ => [None, None],
        })
    }

    /// Returns the runs of a column before each node, and all of them.
    fn before_members(&self, column: u32) -> Vec<u64> {
        let members = (0..self.nodes.count()).map(|node| self.nodes.member(node, column));
        let mut before = vec![0];
        for runs in members.map(|member| member.map_or(0, |rank| self.request.runs_of(SENDERS, rank))) {
            before.push(before[before.len() - 1] + runs);
        }
        before
    }

    /// Returns the part of the message that a column exchanges between the nodes: all of it, but in an allreduce.
    pub(super) fn slice(&self, column: u32) -> Span {
        self.request.block(column, self.slices())
    }

    /// Returns the last column whose part of the message is not empty, or the first one.
    pub(super) fn last_column(&self) -> u32 {
        self.request.count().clamp(1, u64::from(self.slices())) as u32 - 1
    }

    fn slices(&self) -> u32 {
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
        let plan = self.within.of(node, &self.two.intra, || self.request_within(node));
        let number = nodes.number(rank);
        let schedule = ops.inner(number, |inner| plan(number, inner))?;
        ops.embed(schedule, |number| nodes.rank(node, number), parts)
    }

    /// Adds the operations of a node between the nodes, each of which is represented by its leader.
    pub(super) fn between<P: Into<Parts>>(
        &self,
        node: u32,
        parts: impl Fn(Part) -> P,
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        self.between_in(0, node, |node| self.nodes.leader(node), parts, ops)
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
        let plan = self.between.of(column, &self.two.inter, || self.request_between(column));
        let schedule = ops.inner(node, |inner| plan(node, inner))?;
        ops.embed(schedule, representative, parts)
    }
}

/// The plans of a level, each of which is made once.
#[derive(Default)]
struct Plans {
    /// By node or by column.
    of: RefCell<HashMap<u32, Rc<Plan>>>,
    made: RefCell<HashMap<Request, Rc<Plan>>>,
}

impl Plans {
    fn of(&self, part: u32, level: &Level, request: impl FnOnce() -> Request) -> Rc<Plan> {
        let new = |request: &Request| Rc::new(level.algorithm().plan(request));
        let shared = || Rc::clone(self.made.borrow_mut().entry(request()).or_insert_with_key(new));
        Rc::clone(self.of.borrow_mut().entry(part).or_insert_with(shared))
    }
}

/// Returns the place of a part that moves from a buffer to `to`.
pub(super) fn moved(from: Buffer, to: Part) -> impl Fn(Part) -> Part {
    move |part| if part.buffer == from { to.slice(part.offset, part.bytes) } else { part }
}
