//! The boxes into which the cuts of a tree divide the space of sizes.

use crate::problem::Problem;
use crate::shape::Shape;
use crate::tree::DecisionTree;
use crate::tree::table::{Buckets, cuts};

/// The entry for no decision.
const NONE: u16 = u16::MAX;

/// Up to this many sizes, a list of all sizes is used, which is the fastest; beyond, only if it is smaller than buckets.
const MAX_SIZES: u64 = 1 << 8;

/// The maximum size of buckets in bytes. Thresholds so close that they need more are searched.
const MAX_BUCKETS: u64 = 1 << 16;

/// The boxes of a tree: the smallest size of every interval except the first on each axis.
///
/// Borders are where the tree tests, and where the conditions of its methods may start or stop holding.
pub(super) struct Boxes<'t> {
    tree: &'t DecisionTree,
    starts: Vec<Vec<u64>>,
}

impl<'t> Boxes<'t> {
    /// Finds the boxes of a tree, unless it has conditions that boxes cannot separate.
    pub(super) fn from_tree(tree: &'t DecisionTree) -> Result<Self, Problem> {
        let mut starts = tree.guarded_sizes()?;
        for (axis, (starts, cuts)) in starts.iter_mut().zip(cuts(tree)).enumerate() {
            starts.extend(cuts.into_iter().map(|at| tree.threshold(axis, at)));
            starts.sort_unstable();
            starts.dedup();
        }
        Ok(Self { tree, starts })
    }

    pub(super) fn count(&self) -> u64 {
        self.starts.iter().map(|starts| starts.len() as u64 + 1).product()
    }

    /// Returns the index of the method of each box, row-major.
    pub(super) fn methods(&self) -> Vec<u16> {
        let shape = Shape::new(self.starts.iter().map(|starts| starts.len() + 1).collect());
        let mut sizes = vec![0; self.starts.len()];
        let methods = (0..shape.cells()).map(|number| {
            for (axis, interval) in shape.samples(number).into_iter().enumerate() {
                sizes[axis] = if interval == 0 { 0 } else { self.starts[axis][interval - 1] };
            }
            self.tree.decide(&sizes).map_or(NONE, |method| method.get() as u16)
        });
        methods.collect()
    }

    pub(super) fn axes(&self) -> impl Iterator<Item = Axis> {
        self.starts.iter().cloned().map(Axis::new)
    }
}

/// The lookup of a size among increasing thresholds, none of them 0.
pub(super) enum Axis {
    /// A list of all sizes up to the last threshold.
    Sizes(Vec<u64>),
    /// By exponent, followed by one comparison.
    Buckets(Buckets),
    /// Binary search in the list.
    Search(Vec<u64>),
}

impl Axis {
    fn new(thresholds: Vec<u64>) -> Self {
        let last = thresholds.last().copied().unwrap_or(0);
        let fits = u8::try_from(thresholds.len()).is_ok();
        if fits && last < MAX_SIZES {
            return Self::Sizes(thresholds);
        }
        match Buckets::from_halves(thresholds.clone(), MAX_BUCKETS) {
            Ok(buckets) if fits && last < buckets.bytes() => Self::Sizes(thresholds),
            Ok(buckets) => Self::Buckets(buckets),
            Err(_) => Self::Search(thresholds),
        }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Sizes(thresholds) => {
                bytes.extend((thresholds.len() as u32 + 1).to_le_bytes());
                bytes.push(0);
                let last = thresholds.last().copied().unwrap_or(0);
                bytes.extend((last as u16).to_le_bytes());
                let interval = |size| thresholds.partition_point(|&threshold| threshold <= size) as u8;
                bytes.extend((0..=last).map(interval));
            }
            Self::Buckets(buckets) => {
                bytes.extend((buckets.thresholds().len() as u32 + 1).to_le_bytes());
                bytes.push(1);
                bytes.extend(buckets.lowest().to_le_bytes());
                bytes.extend(buckets.last().to_le_bytes());
                bytes.push(buckets.shift() as u8);
                for bucket in buckets.in_order() {
                    bytes.extend(bucket.threshold.to_le_bytes());
                    bytes.extend((bucket.below as u32).to_le_bytes());
                }
            }
            Self::Search(thresholds) => {
                bytes.extend((thresholds.len() as u32 + 1).to_le_bytes());
                bytes.push(2);
                for &threshold in thresholds {
                    bytes.extend(threshold.to_le_bytes());
                }
            }
        }
    }

    /// Returns the sizes at which the result of the lookup can change.
    pub(super) fn edges(&self) -> Vec<u64> {
        match self {
            Self::Sizes(thresholds) => (1..=thresholds.last().copied().unwrap_or(0)).collect(),
            Self::Buckets(buckets) => [buckets.thresholds(), &buckets.edges()].concat(),
            Self::Search(thresholds) => thresholds.clone(),
        }
    }
}
