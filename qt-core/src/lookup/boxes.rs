//! The boxes into which the cuts of a tree cut all sizes.

use super::{Writer, index};
use crate::tree::DecisionTree;
use crate::tree::table::{Buckets, cuts};

/// So many sizes or fewer are each told, which is the fastest; more only where that takes less than buckets.
const MAX_SIZES: u64 = 1 << 8;

/// The most bytes of buckets; thresholds so close that they would take more are searched.
const MAX_BUCKETS: u64 = 1 << 16;

/// The boxes of a tree: its cuts on each axis.
pub(super) struct Boxes<'t> {
    tree: &'t DecisionTree,
    cuts: Vec<Vec<usize>>,
}

impl<'t> Boxes<'t> {
    pub(super) fn of(tree: &'t DecisionTree) -> Self {
        Self { tree, cuts: cuts(tree) }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.cuts.iter().map(|cuts| cuts.len() as u64 + 1).product()
    }

    /// The index of the method of each, row-major.
    pub(super) fn methods(&self) -> Vec<u16> {
        let shape: Vec<usize> = self.cuts.iter().map(|cuts| cuts.len() + 1).collect();
        let interval = |axis: usize, at: usize| self.cuts[axis].partition_point(|&cut| cut <= at);
        self.tree.root().with_cuts(interval).cells(&shape).into_iter().map(index).collect()
    }

    pub(super) fn axes(&self) -> impl Iterator<Item = Axis> {
        self.cuts
            .iter()
            .enumerate()
            .map(|(axis, cuts)| Axis::of(cuts.iter().map(|&at| self.tree.threshold(axis, at)).collect()))
    }

    /// Writes the axes.
    pub(super) fn write(&self, bytes: &mut Writer) {
        self.axes().for_each(|axis| axis.write(bytes));
    }
}

/// How a size is found among increasing thresholds, none of them 0.
pub(super) enum Axis {
    /// In a list of all sizes up to the last threshold.
    Sizes(Vec<u64>),
    /// By its exponent, and one comparison.
    Buckets(Buckets),
    /// By halving the list.
    Search(Vec<u64>),
}

impl Axis {
    fn of(thresholds: Vec<u64>) -> Self {
        let last = thresholds.last().copied().unwrap_or(0);
        let fits = u8::try_from(thresholds.len()).is_ok();
        if fits && last < MAX_SIZES {
            return Self::Sizes(thresholds);
        }
        match Buckets::of_halves(thresholds.clone(), MAX_BUCKETS) {
            Ok(buckets) if fits && last < buckets.bytes() => Self::Sizes(thresholds),
            Ok(buckets) => Self::Buckets(buckets),
            Err(_) => Self::Search(thresholds),
        }
    }

    fn write(&self, bytes: &mut Writer) {
        match self {
            Self::Sizes(thresholds) => {
                bytes.u32(thresholds.len() as u32 + 1);
                bytes.bytes([0]);
                let last = thresholds.last().copied().unwrap_or(0);
                bytes.u16(last as u16);
                let interval = |size| thresholds.partition_point(|&threshold| threshold <= size) as u8;
                bytes.bytes((0..=last).map(interval).collect::<Vec<u8>>());
            }
            Self::Buckets(buckets) => {
                bytes.u32(buckets.thresholds().len() as u32 + 1);
                bytes.bytes([1]);
                bytes.u64(buckets.lowest());
                bytes.u64(buckets.last());
                bytes.bytes([buckets.shift() as u8]);
                for bucket in buckets.in_order() {
                    bytes.u64(bucket.threshold);
                    bytes.u32(bucket.below as u32);
                }
            }
            Self::Search(thresholds) => {
                bytes.u32(thresholds.len() as u32 + 1);
                bytes.bytes([2]);
                for &threshold in thresholds {
                    bytes.u64(threshold);
                }
            }
        }
    }

    /// The sizes that are looked up elsewhere than the next smaller ones.
    pub(super) fn edges(&self) -> Vec<u64> {
        match self {
            Self::Sizes(thresholds) => (1..=thresholds.last().copied().unwrap_or(0)).collect(),
            Self::Buckets(buckets) => [buckets.thresholds(), &buckets.edges()].concat(),
            Self::Search(thresholds) => thresholds.clone(),
        }
    }
}
