//! Two trees over the same ranks, each for one half of the message on a rail of its own.
//!
//! A rank receives two streams and sends at most two. As a bipartite graph (senders on one side, receivers on the other)
//! the edges of both trees have degree at most two, so two colours suffice to make the edges of every sender and of every
//! receiver differ (Sanders, Speck and Träff, Parallel Computing 35, 2009). The colour is the rail; with a single port
//! it is the parity of the steps in which the edge is used.

use super::algorithm::Plan;
use super::{Buffer, Builder, Request, Span, TooLarge};

/// The absence of a node, edge or colour.
const NONE: u32 = u32::MAX;

/// Two spanning trees over 0..p with root 0, of which the first carries the first half.
#[derive(Clone, Debug)]
pub(super) struct TwoTrees {
    comm_size: u32,
    /// The parent of each node, tree after tree.
    parents: Vec<u32>,
    /// The edges in the order in which they were added: parents before their children within each tree.
    edges: Vec<Edge>,
}

/// An edge, identified by its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    tree: u32,
    node: u32,
}

/// An edge with its colour and the step in which its first segment is sent.
#[derive(Clone, Copy, Debug)]
struct Timed {
    edge: Edge,
    rail: u32,
    step: u64,
}

impl TwoTrees {
    pub(super) fn new(comm_size: u32) -> Self {
        Self { comm_size, parents: vec![NONE; 2 * comm_size as usize], edges: Vec::new() }
    }

    /// Adds the edge from `parent` to `node`; the edge to `parent` must exist.
    pub(super) fn add(&mut self, tree: usize, parent: u32, node: u32) {
        let edge = Edge { tree: tree as u32, node };
        let index = self.index(edge);
        self.parents[index] = parent;
        self.edges.push(edge);
    }

    fn index(&self, Edge { tree, node }: Edge) -> usize {
        (tree * self.comm_size + node) as usize
    }

    fn parent(&self, edge: Edge) -> u32 {
        self.parents[self.index(edge)]
    }

    pub(super) fn plan(self, request: &Request) -> Plan {
        let timed = self.timed();
        let halves = [request.block(0, 2), request.block(1, 2)];
        let mut sent: Vec<[Option<Timed>; 2]> = vec![[None; 2]; self.comm_size as usize];
        for edge in timed.iter().copied() {
            let places = &mut sent[self.parent(edge.edge) as usize];
            places[usize::from(places[0].is_some())] = Some(edge);
        }
        let mut received: Vec<[Option<Timed>; 2]> = vec![[None; 2]; self.comm_size as usize];
        for edge in timed {
            received[edge.edge.node as usize][edge.edge.tree as usize] = Some(edge);
        }
        let request = request.clone();
        Box::new(move |rank, ops| {
            let number = request.from_root(rank) as usize;
            let sends = sent[number].into_iter().flatten().map(|edge| (edge, true));
            let receives = received[number].into_iter().flatten().map(|edge| (edge, false));
            self.operations(&request, halves, &receives.chain(sends).collect::<Vec<_>>(), ops)
        })
    }

    /// Adds the operations on some edges in the order of their steps.
    fn operations(
        &self,
        request: &Request,
        halves: [Span; 2],
        edges: &[(Timed, bool)],
        ops: &mut Builder,
    ) -> Result<(), TooLarge> {
        let mut steps: Vec<(u64, Timed, bool, Span)> = Vec::new();
        for &(timed, is_send) in edges {
            let segments = request.segments(halves[timed.edge.tree as usize]);
            let step = |index: u64| timed.step + 2 * index;
            steps.extend((0..).zip(segments).map(|(index, segment)| (step(index), timed, is_send, segment)));
        }
        steps.sort_by_key(|&(step, ..)| step);
        for (_, Timed { edge, rail, .. }, is_send, segment) in steps {
            let part = segment.within_buffer(Buffer::Data);
            if is_send {
                ops.send_on(rail, request.to_rank(edge.node), part)?;
            } else {
                ops.receive_on(rail, request.to_rank(self.parent(edge)), part)?;
            }
        }
        Ok(())
    }

    /// Returns every edge with its colour and its first step.
    fn timed(&self) -> Vec<Timed> {
        let mut depths = vec![0_u32; self.parents.len()];
        for &edge in &self.edges {
            let above = Edge { node: self.parent(edge), ..edge };
            depths[self.index(edge)] = 1 + depths[self.index(above)];
        }
        let mut edges = self.edges.clone();
        edges.sort_by_key(|&edge| (depths[self.index(edge)], edge.tree, edge.node));
        let siblings = self.siblings();
        let mut colours = vec![NONE; self.parents.len()];
        let mut steps = vec![0_u64; self.parents.len()];
        let mut timed = Vec::with_capacity(edges.len());
        for edge in edges {
            let parent = self.parent(edge);
            let above = self.index(Edge { node: parent, ..edge });
            let index = self.index(edge);
            if colours[index] == NONE {
                // Prefer the colour that the edge above does not have: the segment then waits one step, not two.
                let colour = if parent == 0 { edge.tree } else { 1 - colours[above] };
                self.colour(edge, colour, &siblings, &mut colours);
            }
            let rail = colours[index];
            steps[index] = match parent {
                0 => u64::from(rail),
                _ => steps[above] + if rail == colours[above] { 2 } else { 1 },
            };
            timed.push(Timed { edge, rail, step: steps[index] });
        }
        timed
    }

    /// Returns the other edge of each edge's sender, by index.
    fn siblings(&self) -> Vec<Option<Edge>> {
        let mut first: Vec<Option<Edge>> = vec![None; self.comm_size as usize];
        let mut siblings = vec![None; self.parents.len()];
        for &edge in &self.edges {
            let parent = self.parent(edge) as usize;
            match first[parent] {
                None => first[parent] = Some(edge),
                Some(other) => {
                    siblings[self.index(edge)] = Some(other);
                    siblings[self.index(other)] = Some(edge);
                }
            }
        }
        siblings
    }

    /// Colours an edge and all edges whose colours follow from it.
    fn colour(&self, edge: Edge, colour: u32, siblings: &[Option<Edge>], colours: &mut [u32]) {
        let mut open = vec![(edge, colour)];
        while let Some((edge, colour)) = open.pop() {
            let index = self.index(edge);
            if colours[index] != NONE {
                continue;
            }
            colours[index] = colour;
            open.push((Edge { tree: 1 - edge.tree, ..edge }, 1 - colour));
            open.extend(siblings[index].map(|sibling| (sibling, 1 - colour)));
        }
    }
}
