//! The coarse table of a decision function, and what is left to decide in its cells.
//!
//! Most cells of a coarse grid lie within one region, and are decided by it; in the others a small tree decides.

use std::collections::HashMap;

use super::table::{self, AxisIndex, Buckets, Finds, TooLarge};
use super::{DecisionTree, Nodes, Subtree};
use crate::domain::Samples;

/// The most entries there may be: a position of 16 bits tells as many cells apart.
const MAX_ENTRIES: u128 = 1 << 16;

/// The most entries for which exponents are told apart more finely.
const MAX_FINE_ENTRIES: u128 = 1 << 12;

/// A finer grid must leave no more than this share of the cells that the coarser one left undecided.
const WORTH_IT: f64 = 0.8;

/// The most bits of a mantissa that count.
const MAX_BITS: u32 = 3;

/// A decision function as a coarse table.
#[derive(Clone, Debug)]
pub(crate) struct Hybrid {
    /// The index of each axis; those of exponents find a bucket, not an interval.
    pub(crate) axes: Vec<Option<AxisIndex>>,
    /// What is left to decide in a cell: leaves first.
    pub(crate) cells: Vec<Nodes>,
    /// For every cell of the grid, row-major, the position of what is left to decide.
    pub(crate) entries: Vec<u16>,
}

/// The samples of one cell along one axis; none where no size falls.
type Range = Option<(usize, usize)>;

impl Hybrid {
    /// # Errors
    ///
    /// More than [`MAX_ENTRIES`].
    pub(crate) fn of(root: Subtree<'_>, tree: &DecisionTree) -> Result<Self, TooLarge> {
        let cuts = table::cuts(root, tree);
        let mut grid = Grid::of(root, Plan::of(&cuts, tree, 0)?);
        for bits in 1..=MAX_BITS {
            let finer = match Plan::of(&cuts, tree, bits) {
                Ok(plan) if plan.entries() <= MAX_FINE_ENTRIES && grid.mixed > 0.0 => Grid::of(root, plan),
                _ => break,
            };
            if finer.mixed > WORTH_IT * grid.mixed {
                break;
            }
            grid = finer;
        }
        let Grid { plan, nodes, .. } = grid;
        let mut cells: Vec<Nodes> = nodes.clone();
        cells.sort_by_key(|nodes| nodes.root().leaves());
        let mut position: HashMap<Nodes, usize> = HashMap::new();
        cells.retain(|nodes| {
            let next = position.len();
            let is_new = !position.contains_key(nodes);
            position.entry(nodes.clone()).or_insert(next);
            is_new
        });
        let entries = nodes.iter().map(|nodes| position[nodes] as u16).collect();
        Ok(Self { axes: plan.axes, cells, entries })
    }

    /// The number of entries that are neighbours in a row.
    pub(crate) fn row(&self) -> usize {
        self.axes.iter().flatten().next_back().map_or(1, |axis| axis.intervals.next_power_of_two())
    }
}

/// What is left to decide in every cell of a coarse grid.
struct Grid {
    plan: Plan,
    nodes: Vec<Nodes>,
    /// The share of cells that are not decided.
    mixed: f64,
}

impl Grid {
    fn of(root: Subtree<'_>, plan: Plan) -> Self {
        let nodes: Vec<Nodes> = plan.cells().map(|ranges| root.within(ranges)).collect();
        let mixed =
            nodes.iter().filter(|nodes| nodes.root().leaves() > 1).count() as f64 / nodes.len() as f64;
        Self { plan, nodes, mixed }
    }
}

/// A coarse grid.
struct Plan {
    axes: Vec<Option<AxisIndex>>,
    /// The cells along each axis, filled up to a power of two.
    ranges: Vec<Vec<Range>>,
}

impl Plan {
    fn of(cuts: &[Vec<usize>], tree: &DecisionTree, bits: u32) -> Result<Self, TooLarge> {
        let mut axes = Vec::new();
        let mut ranges = Vec::new();
        let mut stride = 1;
        for (axis, cuts) in cuts.iter().enumerate().rev() {
            let (finds, mut own) = coarse(axis, cuts, tree, bits);
            own.resize(own.len().next_power_of_two(), None);
            axes.push(finds.map(|finds| AxisIndex { stride, intervals: own.len(), finds }));
            stride *= own.len();
            ranges.push(own);
        }
        axes.reverse();
        ranges.reverse();
        let plan = Self { axes, ranges };
        let entries = plan.entries();
        if entries > MAX_ENTRIES {
            return Err(TooLarge { bytes: 2 * entries, most: 2 * MAX_ENTRIES as u64, close: None });
        }
        Ok(plan)
    }

    fn entries(&self) -> u128 {
        self.ranges.iter().map(|ranges| ranges.len() as u128).product()
    }

    /// The samples of every cell, row-major; those of a cell where no size falls are the first ones.
    fn cells(&self) -> impl Iterator<Item = Vec<(usize, usize)>> {
        (0..self.entries() as usize).map(|cell| {
            let mut rest = cell;
            let mut ranges: Vec<(usize, usize)> = self
                .ranges
                .iter()
                .rev()
                .map(|ranges| {
                    let range = ranges[rest % ranges.len()];
                    rest /= ranges.len();
                    range.unwrap_or((0, 1))
                })
                .collect();
            ranges.reverse();
            ranges
        })
    }
}

/// How an axis is found, and the cells that it is cut into.
fn coarse(axis: usize, cuts: &[usize], tree: &DecisionTree, bits: u32) -> (Option<Finds>, Vec<Range>) {
    let of_domain = &tree.domain().axes()[axis];
    let len = of_domain.len();
    let exact = || {
        let begins = std::iter::once(0).chain(cuts.iter().copied());
        begins.zip(cuts.iter().copied().chain([len])).map(Some).collect()
    };
    if cuts.is_empty() {
        return (None, vec![Some((0, len))]);
    }
    if let Samples::Labels(_) = of_domain.samples {
        return (Some(Finds::Label(cuts.to_vec())), exact());
    }
    let thresholds: Vec<u64> = cuts.iter().map(|&at| tree.threshold(axis, at)).collect();
    if let Some(finds) = table::short(&thresholds) {
        return (Some(finds), exact());
    }
    let buckets = Buckets::of_bits(thresholds, bits);
    let sample = |size: u64| of_domain.sample_of(size, tree.borders());
    let edges = buckets.edges();
    let begins = std::iter::once(0).chain(edges.iter().map(|&edge| sample(edge)));
    let ends = edges.iter().map(|&edge| sample(edge - 1) + 1).chain([len]);
    let mut ranges = vec![None; buckets.count()];
    for (bucket, range) in begins.zip(ends).enumerate() {
        ranges[buckets.place(bucket)] = Some(range);
    }
    (Some(Finds::Exponent(buckets)), ranges)
}
