//! Borders where methods cross, one for each node of a tree instead of one for each gap of an axis.

use std::ops::Range;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{Axis, Borders, Costs, DecisionMap, DecisionTree, Domain, MethodIndex};

/// Returns the decisions of the quadtree of the kept sizes at all cells of a map, with a border of its own at each node.
pub(super) fn decisions(rest: &DecisionMap, whole: &DecisionMap) -> Vec<Option<MethodIndex>> {
    let tree = quadtree(rest);
    assert!(tree.guards().is_empty(), "the methods have no requirements");
    let mut filled = Filled { rest, whole, decided: vec![None; whole.cells().len()] };
    let part: Vec<Range<usize>> = rest.domain().shape().into_iter().map(|len| 0..len).collect();
    filled.fill(tree.root(), &part, (0..whole.cells().len()).collect());
    filled.decided
}

struct Filled<'m> {
    rest: &'m DecisionMap,
    whole: &'m DecisionMap,
    decided: Vec<Option<MethodIndex>>,
}

impl Filled<'_> {
    /// Writes the decisions for some cells of a subtree that decides in a part of the kept samples.
    fn fill(&mut self, subtree: Subtree<'_>, part: &[Range<usize>], points: Vec<usize>) {
        match subtree.node() {
            Node::Leaf(method) => points.into_iter().for_each(|cell| self.decided[cell] = method),
            Node::Test { axis, at, below, at_or_above } => {
                let border = self.border(axis, at, part);
                let is_below = |cell: &usize| self.whole.domain().sizes(*cell)[axis] < border;
                let (lower, upper) = points.into_iter().partition(is_below);
                let [mut under, mut over] = [part.to_vec(), part.to_vec()];
                (under[axis].end, over[axis].start) = (at, at);
                self.fill(below, &under, lower);
                self.fill(at_or_above, &over, upper);
            }
        }
    }

    /// Returns the border at a node: that of a map with the cells on both sides of its cut, and no others.
    fn border(&self, axis: usize, at: usize, part: &[Range<usize>]) -> u64 {
        let (domain, shape) = (self.rest.domain(), self.rest.domain().shape());
        let Some(sizes) = domain.axes()[axis].values() else { return at as u64 };
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        let is_there = |cell: &usize| {
            let mut axes = part.iter().enumerate();
            axes.all(|(axis, range)| range.contains(&(cell / stride(axis) % shape[axis])))
        };
        let lower = |cell: &usize| cell / stride(axis) % shape[axis] == at - 1;
        let rows = (0..self.rest.cells().len()).filter(lower).filter(is_there);
        let cells: Vec<usize> = rows.flat_map(|cell| [cell, cell + stride(axis)]).collect();
        let rows = Axis::new("row", (1..=cells.len() as u64 / 2).collect::<Vec<_>>());
        let cut = Axis::new("size", [sizes[at - 1], sizes[at]]);
        let costs = self.rest.costs().expect("the map has costs");
        let values =
            cells.iter().flat_map(|cell| domain.method_indexes().map(|method| costs.get(*cell, method)));
        let node = Domain::new(None, vec![rows, cut], domain.methods().to_vec())
            .and_then(|node| {
                DecisionMap::new(node, cells.iter().map(|cell| self.rest.cells()[*cell]).collect())
            })
            .and_then(|node| node.with_costs(Costs::new(domain.methods().len(), values)));
        quadtree(&node.expect("a part of a map")).threshold(1, 1)
    }
}

fn quadtree(map: &DecisionMap) -> DecisionTree {
    encode::encode(map, &Quadtree::default(), Borders::Crossing).expect("a quadtree serves every map")
}
