//! Decisions without generated code.

use std::ops::Range;

use super::{Bound, DecisionTree, Node, Region};
use crate::domain::MethodIndex;

impl DecisionTree {
    /// Returns the sample that a size on an axis belongs to: the first for all smaller sizes, the last for all larger ones.
    pub fn sample_of(&self, axis: usize, size: u64) -> usize {
        self.domain.axes()[axis].sample_below(size, |at| self.threshold(axis, at))
    }

    /// Returns the decision for these sizes: the method of their region, or the [fallback](Self::fallback) if that method may not run.
    /// A label is given by its position.
    ///
    /// # Panics
    ///
    /// Panics if there is not one size for each axis.
    pub fn decide(&self, sizes: &[u64]) -> Option<MethodIndex> {
        let method = self.tested(sizes)?;
        if self.runs(method, sizes) { Some(method) } else { self.fallback }
    }

    /// Returns the method that the tests lead to, whether or not it may run.
    ///
    /// # Panics
    ///
    /// Panics if there is not one size for each axis.
    pub fn tested(&self, sizes: &[u64]) -> Option<MethodIndex> {
        self.followed(sizes, |_| {})
    }

    /// Returns the method that the tests lead to, after passing the outcome of each test to `visit`.
    fn followed(&self, sizes: &[u64], mut visit: impl FnMut(Bound)) -> Option<MethodIndex> {
        assert_eq!(sizes.len(), self.domain.axes().len(), "one size for each axis");
        let mut subtree = self.root();
        loop {
            match subtree.node() {
                Node::Leaf(method) => return method,
                Node::Test { axis, at, below: lower, at_or_above } => {
                    let below = sizes[axis] < self.threshold(axis, at);
                    visit(Bound { axis, at, below });
                    subtree = if below { lower } else { at_or_above };
                }
            }
        }
    }

    /// Returns the decision at every cell of the grid, row-major.
    pub fn cells(&self) -> Vec<Option<MethodIndex>> {
        self.nodes.cells(&self.domain.shape())
    }

    /// Returns the region that contains these sizes. A label is given by its position.
    ///
    /// # Panics
    ///
    /// Panics if there is not one size for each axis.
    pub fn region(&self, sizes: &[u64]) -> Region {
        let mut samples: Vec<Range<usize>> = self.domain().shape().into_iter().map(|len| 0..len).collect();
        let method = self.followed(sizes, |Bound { axis, at, below }| {
            *(if below { &mut samples[axis].end } else { &mut samples[axis].start }) = at;
        });
        Region { samples, method }
    }

    /// Returns whether a method may run in a call of these sizes, as far as its requirements are checked.
    pub(super) fn runs(&self, method: MethodIndex, sizes: &[u64]) -> bool {
        let axes = self.domain.axes();
        let guard = self.guards.iter().find(|guard| guard.methods.contains(&method));
        guard.is_none_or(|guard| guard.requirements.iter().all(|requirement| requirement.holds(axes, sizes)))
    }
}
