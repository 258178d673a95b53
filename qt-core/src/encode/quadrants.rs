//! A quadtree with every block of the filled-in grid, as the papers' prototypes hold it in memory (2006 and 2007 papers, sections 3.3
//! and 3.4). A [`DecisionTree`](crate::DecisionTree) has only the tests that decisions need.

use super::fill::FilledAxis;
use crate::domain::MethodIndex;

/// A quadtree over the filled-in grid.
#[derive(Clone, Debug)]
pub struct Quadrants {
    /// The block of the whole grid.
    pub root: Quadrant,
    pub(super) axes: Vec<FilledAxis>,
    pub(super) levels: u32,
}

/// A block of the filled-in grid.
///
/// The variants are complete: a block is whole or divided.
#[derive(Clone, Debug, PartialEq)]
pub enum Quadrant {
    /// A block with one decision; `None` if nothing was measured there.
    Leaf(Option<MethodIndex>),
    /// The halves of the block on every axis: with two axes north-west, north-east, south-west and south-east, where the first axis
    /// grows to the south and the second to the east.
    Divided(Vec<Quadrant>),
}

impl Quadrant {
    /// Returns the number of blocks without parts.
    pub fn leaves(&self) -> u64 {
        match self {
            Self::Leaf(_) => 1,
            Self::Divided(parts) => parts.iter().map(Self::leaves).sum(),
        }
    }

    /// Returns the number of all blocks.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Leaf(_) => 1,
            Self::Divided(parts) => 1 + parts.iter().map(Self::nodes).sum::<u64>(),
        }
    }
}

impl Quadrants {
    /// Returns the length of each side of the filled-in grid, a power of two.
    pub fn side(&self) -> usize {
        1 << self.levels
    }

    /// Returns the first sample of an axis that lies on the upper side of a cut before this filled-in index; the number of samples if
    /// there is none.
    pub fn first_sample(&self, axis: usize, index: usize) -> usize {
        self.axes[axis].first_from(index)
    }

    /// Returns the decision at these samples, one for each axis, and the depth of its leaf. The path follows the bits of the filled-in
    /// indexes, as in the papers.
    pub fn leaf(&self, samples: &[usize]) -> (Option<MethodIndex>, u32) {
        let indexes: Vec<usize> =
            self.axes.iter().zip(samples).map(|(axis, &sample)| axis.first_copy(sample)).collect();
        let (mut block, mut depth) = (&self.root, 0);
        loop {
            match block {
                Quadrant::Leaf(method) => return (*method, depth),
                Quadrant::Divided(parts) => {
                    depth += 1;
                    let bit = |index: &usize| index >> (self.levels - depth) & 1;
                    block = &parts[indexes.iter().fold(0, |part, index| 2 * part + bit(index))];
                }
            }
        }
    }
}
