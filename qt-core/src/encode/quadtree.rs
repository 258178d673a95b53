//! The quadtree of the 2006 and 2007 papers, section 3.
//!
//! The grid is extended to 2^k × 2^k and quartered until every block has one colour, or the depth limit or the accuracy
//! threshold is reached. One axis is halved, and three axes are divided into octants.

use std::ops::Range;

use super::boxes::{Visit, cheapest_of, common_methods, of_least_sum, running};
use super::fill::FilledAxis;
use super::quadrants::{Quadrant, Quadrants};
use super::setting::{self, Setting, choose, depth};
use super::{Algorithm, Budget, Encoded, Input, SearchLimit, fewest_leaves};
use crate::domain::MethodIndex;
use crate::fixed_point::{OF_PERCENT, Units};
use crate::listing::name_of;
use crate::map::{DecisionMap, percent};
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::statistics::Depth;
use crate::tree::FlatTree;

pub use super::fill::Fill;

/// The options of the quadtree. By default it is exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadtree {
    /// The maximum depth of a block; no limit if `None`.
    pub max_depth: Option<u32>,
    /// The minimum share of a block, in per cent, that its most common method must hold for the block to be a leaf.
    pub threshold: f64,
    /// The sample that a filled-in index represents.
    pub fill: Fill,
    /// The rule for the method of a leaf.
    pub leaf: LeafRule,
    /// Whether sibling leaves with the same method count as one, as in the tables of the 2007 paper.
    pub collapse: bool,
}

/// The rule for the method of a leaf that covers several methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafRule {
    /// The method with the most filled-in cells, the lowest index on a tie.
    #[default]
    Majority,
    /// The method with the lowest mean penalty, among those measured in every measured cell of the block.
    Cheapest,
}

impl Default for Quadtree {
    fn default() -> Self {
        Self {
            max_depth: None,
            threshold: 100.0,
            fill: Fill::Stretch,
            leaf: LeafRule::Majority,
            collapse: false,
        }
    }
}

/// The maximum number of blocks that [`Quadtree::quadrants`] returns.
pub const MAX_BLOCKS: u64 = 1 << 20;

const FILLS: [(&str, Fill); 2] = [("stretch", Fill::Stretch), ("last", Fill::Last)];

const LEAF_RULES: [(&str, LeafRule); 2] =
    [("commonest", LeafRule::Majority), ("cheapest", LeafRule::Cheapest)];

const COLLAPSE: [(&str, bool); 2] = [("true", true), ("false", false)];

impl Algorithm for Quadtree {
    const NAME: &'static str = "quadtree";

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::max_depth(
            |own, value| depth(value).map(|limit| own.max_depth = limit),
            |own| own.max_depth.map(|limit| limit.to_string()),
        ),
        Setting {
            name: "threshold",
            value: "PERCENT",
            help: "make a block a leaf when one method has at least this share of it; 100 is exact",
            set: |own, value| {
                // With a threshold of 1 % or less, any block is a leaf.
                own.threshold = setting::percent(value, ..=1.0, "a number from 0 to 100")?;
                Ok(())
            },
            get: |own| Some(own.threshold.to_string()),
        },
        Setting {
            name: "fill",
            value: "stretch|last",
            help: "choose the samples that fill the grid up to a power of two",
            set: |own, value| choose(&mut own.fill, value, &FILLS),
            get: |own| Some(name_of(&own.fill, &FILLS).to_owned()),
        },
        Setting {
            name: "leaf",
            value: "commonest|cheapest",
            help: "give a leaf the method of most of its cells, or the one with the lowest mean penalty",
            set: |own, value| choose(&mut own.leaf, value, &LEAF_RULES),
            get: |own| Some(name_of(&own.leaf, &LEAF_RULES).to_owned()),
        },
        Setting {
            name: "collapse",
            value: "",
            help: "count sibling leaves with the same method as one",
            set: |own, value| choose(&mut own.collapse, value, &COLLAPSE),
            get: |own| Some(name_of(&own.collapse, &COLLAPSE).to_owned()),
        },
    ];

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        let builder = Builder::new(self, input)?;
        if self.max_depth.is_none() && self.threshold >= 100.0 {
            fewest_leaves::check(input)?;
        }
        let (nodes, counts) = builder.block(&builder.whole(), 0);
        let depth =
            Depth { min: counts.min, mean: counts.depths as f64 / counts.leaves as f64, max: counts.max };
        let nodes = nodes.expect("the whole grid holds the first copy of every sample");
        let nodes = nodes.simplified(input.shape.lens());
        Ok(Encoded { nodes, leaves: counts.leaves, internal: counts.internal, depth, lower_bound: None })
    }
}

impl Quadtree {
    /// Returns the tree of a map with every block of the filled-in grid, of which the [encoded](super::encode) tree counts the leaves and
    /// nodes.
    ///
    /// # Errors
    ///
    /// Returns an error if leaves take the cheapest method and the map has no costs, or if there are more than [`MAX_BLOCKS`] blocks.
    pub fn quadrants(&self, map: &DecisionMap) -> Result<Quadrants, Problem> {
        let input = Input::new(map, &Budget::default(), SearchLimit::COMMAND)?;
        let builder = Builder::new(self, &input)?;
        let counts = builder.block(&builder.whole(), 0).1;
        let blocks = counts.leaves + counts.internal;
        if blocks > MAX_BLOCKS {
            let problem = Problem::new(
                Place::File,
                format!("the filled-in grid has {blocks} blocks, and {MAX_BLOCKS} is the limit"),
            );
            return Err(problem.help("limit the depth, or take a map with fewer samples on its longest axis"));
        }
        let root = builder.quadrant(&builder.whole(), 0);
        Ok(Quadrants { root, axes: builder.axes, levels: builder.levels })
    }
}

/// A square of the filled-in grid.
struct Block {
    corner: Vec<usize>,
    size: usize,
}

impl Block {
    fn range(&self, axis: usize) -> Range<usize> {
        self.corner[axis]..self.corner[axis] + self.size
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LeafDecision {
    /// The block is divided.
    Split,
    /// The block is a leaf with this method, or with none if nothing was measured.
    Leaf(Option<MethodIndex>),
}

/// Counts of the filled-in, truncated tree, which are lost in the simplified tree.
#[derive(Clone, Copy)]
struct TreeCounts {
    leaves: u64,
    internal: u64,
    /// The sum of the depths of all leaves.
    depths: u64,
    min: u64,
    max: u64,
    /// The decision of the tree as a single leaf, if all of its leaves have the same decision.
    single: LeafDecision,
}

impl TreeCounts {
    fn leaf(depth: u32, method: Option<MethodIndex>) -> Self {
        let depth = u64::from(depth);
        Self {
            leaves: 1,
            internal: 0,
            depths: depth,
            min: depth,
            max: depth,
            single: LeafDecision::Leaf(method),
        }
    }

    fn add(self, other: Self, times: u64) -> Self {
        Self {
            leaves: self.leaves + times * other.leaves,
            internal: self.internal + times * other.internal,
            depths: self.depths + times * other.depths,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            single: if self.single == other.single { self.single } else { LeafDecision::Split },
        }
    }
}

struct Builder<'e, 'm> {
    options: &'e Quadtree,
    input: &'e Input<'m>,
    /// The lowest cost in each cell, if leaves take the cheapest method.
    best: Option<Vec<Option<f64>>>,
    axes: Vec<FilledAxis>,
    /// The filled-in grid has two to this power samples on each axis.
    levels: u32,
    strides: Vec<usize>,
    /// The unit of calls, in which their sums are exact.
    calls: Units,
}

impl<'e, 'm> Builder<'e, 'm> {
    fn new(options: &'e Quadtree, input: &'e Input<'m>) -> Result<Self, Problem> {
        let takes_cheapest = options.leaf == LeafRule::Cheapest;
        if takes_cheapest && input.map.costs().is_none() {
            let leaf = Message::default().setting("leaf", "cheapest");
            return Err(Problem::new(Place::File, leaf.text(" needs the costs of the methods"))
                .help("add `costs` to the map, or remove the option"));
        }
        let shape = &input.shape;
        let best = takes_cheapest.then(|| (0..shape.cells()).map(|cell| input.best_cost(cell)).collect());
        let (levels, axes) = FilledAxis::of_grid(shape.lens(), options.fill);
        // A block has at most as many filled-in cells as the filled-in grid.
        let heaviest = (0..shape.cells()).map(|cell| input.map.weight(cell)).fold(0.0, f64::max);
        let filled: f64 = shape.lens().iter().map(|_| f64::from(1_u32 << levels)).product();
        let calls = Units::for_sums(heaviest * filled, 0.0);
        Ok(Self { options, input, best, axes, levels, strides: shape.strides(), calls })
    }

    /// Returns the filled-in grid.
    fn whole(&self) -> Block {
        Block { corner: vec![0; self.axes.len()], size: 1 << self.levels }
    }

    /// Returns a block with all of its parts, equal ones too.
    fn quadrant(&self, block: &Block, depth: u32) -> Quadrant {
        if let LeafDecision::Leaf(method) = self.leaf(block, depth) {
            return Quadrant::Leaf(method);
        }
        let (axes, size) = (self.axes.len(), block.size / 2);
        let part = |part: usize| {
            let half = |axis: usize| size * (part >> (axes - 1 - axis) & 1);
            let corner = block.corner.iter().enumerate().map(|(axis, from)| from + half(axis)).collect();
            self.quadrant(&Block { corner, size }, depth + 1)
        };
        let parts: Vec<Quadrant> = (0..1 << axes).map(part).collect();
        match &parts[0] {
            Quadrant::Leaf(_) if self.options.collapse && parts.iter().all(|part| *part == parts[0]) => {
                parts[0].clone()
            }
            _ => Quadrant::Divided(parts),
        }
    }

    /// Returns the tree of a block and its counts. A block that holds no first copy has no tree, because no query reaches it.
    fn block(&self, block: &Block, depth: u32) -> (Option<FlatTree>, TreeCounts) {
        if let LeafDecision::Leaf(method) = self.leaf(block, depth) {
            let reached = (0..self.axes.len()).all(|axis| {
                let range = block.range(axis);
                self.axes[axis].first_from(range.start) < self.axes[axis].first_from(range.end)
            });
            return (reached.then(|| FlatTree::leaf(method)), TreeCounts::leaf(depth, method));
        }
        // If the block lies inside one sample on an axis, both halves are equal: only one is visited, and counted twice.
        let (cut, whole): (Vec<usize>, Vec<usize>) =
            (0..self.axes.len()).partition(|&axis| self.axes[axis].samples_in(&block.range(axis)).len() > 1);
        let size = block.size / 2;
        let (children, child_counts): (Vec<Option<FlatTree>>, Vec<TreeCounts>) = (0..1_usize << cut.len())
            .map(|quadrant| {
                let mut corner = block.corner.clone();
                for (bit, &axis) in cut.iter().enumerate() {
                    corner[axis] += size * (quadrant >> bit & 1);
                }
                self.block(&Block { corner, size }, depth + 1)
            })
            .unzip();
        let times = 1 << whole.len();
        let none = TreeCounts {
            leaves: 0,
            internal: 1,
            depths: 0,
            min: u64::MAX,
            max: 0,
            single: child_counts[0].single,
        };
        let mut counts = child_counts.into_iter().fold(none, |sum, child| sum.add(child, times));
        match counts.single {
            LeafDecision::Leaf(method) if self.options.collapse => counts = TreeCounts::leaf(depth, method),
            _ => counts.single = LeafDecision::Split,
        }
        let at = |&axis: &usize| (axis, self.axes[axis].first_from(block.corner[axis] + size));
        let cuts: Vec<(usize, usize)> = cut.iter().map(at).collect();
        (join(&children, &cuts, 0, 0), counts)
    }

    /// Decides whether a block is a leaf, and which method it takes.
    fn leaf(&self, block: &Block, depth: u32) -> LeafDecision {
        let visit: Visit<'_> = &|take| self.visit_from(0, block, 0, 1.0, take);
        match common_methods(self.input, visit) {
            None => return LeafDecision::Leaf(None),
            Some(common) if !common.is_empty() => {
                return LeafDecision::Leaf(Some(cheapest_of(self.input, &common, visit)));
            }
            Some(_) => {}
        }
        let at_limit = self.options.max_depth.is_some_and(|limit| depth >= limit);
        if !at_limit && self.options.threshold >= 100.0 {
            return LeafDecision::Split;
        }
        // A block in which no method may run everywhere is divided beyond any limit.
        match self.majority(visit) {
            Some((majority, share)) if at_limit || share >= self.options.threshold => {
                LeafDecision::Leaf(Some(self.cheapest(visit).unwrap_or(majority)))
            }
            _ => LeafDecision::Split,
        }
    }

    /// Returns the method that is acceptable in the most filled-in cells, and its percentage of the measured ones; `None` if
    /// no method may run in all of the block. Cells are weighted by their calls.
    fn majority(&self, visit: Visit<'_>) -> Option<(MethodIndex, f64)> {
        let mut votes = vec![[0.0; 2]; self.input.methods().len()];
        let mut called = 0.0;
        visit(&mut |cell, copies| {
            let allowed = self.input.allowed(cell);
            let calls = copies * self.calls.count(self.input.map.weight(cell));
            called += if allowed.is_empty() { 0.0 } else { calls };
            for method in allowed {
                let [of_calls, of_cells] = &mut votes[method.get()];
                (*of_calls, *of_cells) = (*of_calls + calls, *of_cells + copies);
            }
            true
        });
        // In a block that is never called, all cells have the same weight.
        let of = |method: MethodIndex| votes[method.get()][usize::from(called == 0.0)];
        let voted = self.input.methods().filter(|method| votes[method.get()][1] > 0.0);
        let candidates = running(self.input, voted.collect(), visit);
        let most = candidates.iter().map(|&method| of(method)).fold(0.0, f64::max);
        let majority = candidates.into_iter().find(|&method| of(method) == most)?;
        Some((majority, if called == 0.0 { 100.0 } else { 100.0 * of(majority) / called }))
    }

    /// Returns the method with the lowest mean penalty among those with a cost in every measured cell, if leaves take the cheapest method.
    fn cheapest(&self, visit: Visit<'_>) -> Option<MethodIndex> {
        let (best, costs) = (self.best.as_ref()?, self.input.map.costs()?);
        let mut priced = running(self.input, self.input.candidates.clone(), visit);
        visit(&mut |cell, _| {
            let is_priced = !self.input.allowed(cell).is_empty() && best[cell].is_some();
            priced.retain(|&method| !is_priced || costs.get(cell, method).is_some());
            !priced.is_empty()
        });
        let penalty = |cell: usize, method: MethodIndex| {
            let cost = costs.get(cell, method).zip(best[cell]);
            Some(cost.map_or(0.0, |(cost, best)| percent(cost, best)))
        };
        of_least_sum(self.input, &priced, visit, OF_PERCENT, &penalty).first().copied()
    }

    /// Visits the cells of a block, each once with the number of its copies, until `visit` returns false.
    fn visit_from(
        &self,
        axis: usize,
        block: &Block,
        offset: usize,
        copies: f64,
        visit: &mut dyn FnMut(usize, f64) -> bool,
    ) -> bool {
        let Some(filled) = self.axes.get(axis) else { return visit(offset, copies) };
        let range = block.range(axis);
        filled.samples_in(&range).all(|sample| {
            let copies = copies * filled.copies_in(sample, &range) as f64;
            self.visit_from(axis + 1, block, offset + sample * self.strides[axis], copies, visit)
        })
    }
}

/// Joins the quadrants of a block by tests, in the order of cuts that leaves the fewest regions.
///
/// Bit `n` of the number of a quadrant selects its side of cut `n`. The bits of `made` are those of the cuts already made, and
/// `quadrant` has their sides.
fn join(
    quadrants: &[Option<FlatTree>],
    cuts: &[(usize, usize)],
    made: usize,
    quadrant: usize,
) -> Option<FlatTree> {
    if made + 1 == quadrants.len() {
        return quadrants[quadrant].clone();
    }
    let orders = (0..cuts.len()).filter(|cut| made >> cut & 1 == 0).filter_map(|cut| {
        let [below, from] =
            [quadrant, quadrant | 1 << cut].map(|side| join(quadrants, cuts, made | 1 << cut, side));
        match (below, from) {
            (Some(below), Some(from)) => Some(FlatTree::test(cuts[cut].0, cuts[cut].1, below, from)),
            (below, from) => below.or(from),
        }
    });
    orders.min_by_key(|nodes| nodes.root().leaves())
}
