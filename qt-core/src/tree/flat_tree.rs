//! Trees as flat lists, with borders as sample indexes.
//!
//! A tree is the preorder list of its nodes. A subtree is therefore a slice, two subtrees are equal if their slices
//! are equal, and dropping, cloning or comparing a deep tree needs no stack.

mod cells;

use std::ops::Range;

use crate::domain::MethodIndex;

/// One entry of the preorder list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    Leaf(Option<MethodIndex>),
    /// The lower side begins with the next entry, the upper side `upper` entries after this one.
    Test {
        axis: u8,
        at: u16,
        upper: u32,
    },
}

/// A tree as the preorder list of its nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlatTree(Vec<Entry>);

/// A tree or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subtree<'t>(&'t [Entry]);

/// The node at the top of a [`Subtree`].
///
/// The variants are complete: a node is a leaf or a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'t> {
    /// A decision; `None` where the tree gives none.
    Leaf(Option<MethodIndex>),
    /// A test of the size on one axis.
    Test {
        /// The position of the axis.
        axis: usize,
        /// The first sample of the upper side; never 0.
        at: usize,
        /// The subtree below that sample.
        below: Subtree<'t>,
        /// The subtree from that sample on.
        at_or_above: Subtree<'t>,
    },
}

impl FlatTree {
    pub(crate) fn leaf(method: Option<MethodIndex>) -> Self {
        Self(vec![Entry::Leaf(method)])
    }

    /// Creates a test, or returns the surviving side if both are equal or one merely extends the other across the border.
    ///
    /// Only a leaf can extend a side. Equal subtrees of several leaves stay separate, because a processor may predict their calls better
    /// that way.
    pub(crate) fn test(axis: usize, at: usize, mut below: Self, at_or_above: Self) -> Self {
        let goes_on = |leaf: &Self, other: &Self| {
            leaf.root().is_leaf() && other.root().child_adjacent_to(axis, at) == Some(leaf.root())
        };
        if below == at_or_above || goes_on(&at_or_above, &below) {
            return below;
        }
        if goes_on(&below, &at_or_above) {
            return at_or_above;
        }
        let upper = below.0.len() as u32 + 1;
        below.0.reserve_exact(at_or_above.0.len() + 1);
        below.0.insert(0, Entry::Test { axis: axis as u8, at: at as u16, upper });
        below.0.extend_from_slice(&at_or_above.0);
        below
    }

    pub(crate) fn root(&self) -> Subtree<'_> {
        Subtree(&self.0)
    }

    /// Returns the same tests, with another decision in every leaf that has one.
    pub(crate) fn with_decisions(&self, decision: impl Fn(MethodIndex) -> Option<MethodIndex>) -> Self {
        let entry = |entry: &Entry| match *entry {
            Entry::Leaf(leaf) => Entry::Leaf(leaf.and_then(&decision)),
            test @ Entry::Test { .. } => test,
        };
        Self(self.0.iter().map(entry).collect())
    }

    /// Removes every test that an enclosing one decides, every test with equal sides, and every test that separates equal answers
    /// next to each other.
    pub(crate) fn simplified(&self, shape: &[usize]) -> Self {
        self.root().simplified(&mut whole(shape))
    }
}

/// Returns the box of all samples: on each axis, the first one and the number of them.
pub(super) fn whole(shape: &[usize]) -> Vec<(usize, usize)> {
    shape.iter().map(|&len| (0, len)).collect()
}

impl<'t> Subtree<'t> {
    /// Returns the top node.
    pub fn node(self) -> Node<'t> {
        match self.0[0] {
            Entry::Leaf(method) => Node::Leaf(method),
            Entry::Test { axis, at, upper } => {
                let (below, at_or_above) = self.0[1..].split_at(upper as usize - 1);
                Node::Test {
                    axis: usize::from(axis),
                    at: usize::from(at),
                    below: Self(below),
                    at_or_above: Self(at_or_above),
                }
            }
        }
    }

    pub(crate) fn is_leaf(self) -> bool {
        self.0.len() == 1
    }

    /// Returns the child of the top test that is adjacent to a border, if the test is on the same axis.
    fn child_adjacent_to(self, axis: usize, at: usize) -> Option<Self> {
        match self.node() {
            Node::Test { axis: own, at: other, below, at_or_above } if own == axis => {
                Some(if at < other { below } else { at_or_above })
            }
            _ => None,
        }
    }

    /// Returns the number of leaves.
    pub fn leaves(self) -> usize {
        // A binary tree has one leaf more than it has tests.
        self.0.len().div_ceil(2)
    }

    /// Returns the method of every leaf.
    pub fn methods(self) -> impl Iterator<Item = Option<MethodIndex>> + use<'t> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Leaf(method) => Some(*method),
            Entry::Test { .. } => None,
        })
    }

    /// Returns the answers of the leaves, each once, in the order of the methods; no decision last.
    pub(crate) fn answers(self) -> Vec<Option<MethodIndex>> {
        let place = |answer: &Option<MethodIndex>| (answer.is_none(), *answer);
        let mut answers = Vec::new();
        for answer in self.methods() {
            if let Err(at) = answers.binary_search_by_key(&place(&answer), place) {
                answers.insert(at, answer);
            }
        }
        answers
    }

    /// Returns the axis and sample of every test.
    pub fn cuts(self) -> impl Iterator<Item = (usize, usize)> + use<'t> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Test { axis, at, .. } => Some((usize::from(*axis), usize::from(*at))),
            Entry::Leaf(_) => None,
        })
    }

    /// Returns the same tests, each at another sample.
    pub(crate) fn with_cuts(self, at: impl Fn(usize, usize) -> usize) -> FlatTree {
        let mut tree = self.to_tree();
        for entry in &mut tree.0 {
            if let Entry::Test { axis, at: old, .. } = entry {
                *old = at(usize::from(*axis), usize::from(*old)) as u16;
            }
        }
        tree
    }

    pub(super) fn to_tree(self) -> FlatTree {
        FlatTree(self.0.to_vec())
    }

    pub(super) fn with_top(self, at: usize) -> FlatTree {
        let mut tree = self.to_tree();
        if let Entry::Test { at: top, .. } = &mut tree.0[0] {
            *top = at as u16;
        }
        tree
    }

    /// Visits the leaves, each with its box in a box of these samples.
    pub(super) fn each_leaf(
        self,
        samples: &mut [Range<usize>],
        visit: &mut impl FnMut(&[Range<usize>], Option<MethodIndex>),
    ) {
        match self.node() {
            Node::Leaf(method) => visit(samples, method),
            Node::Test { axis, at, below, at_or_above } => {
                let Range { start, end } = samples[axis];
                samples[axis] = start..at.min(end);
                below.each_leaf(samples, visit);
                samples[axis] = at.max(start)..end;
                at_or_above.each_leaf(samples, visit);
                samples[axis] = start..end;
            }
        }
    }

    pub(super) fn simplified(self, ranges: &mut [(usize, usize)]) -> FlatTree {
        let Node::Test { axis, at, below, at_or_above } = self.node() else {
            return self.to_tree();
        };
        let (lowest, end) = ranges[axis];
        if at <= lowest {
            return at_or_above.simplified(ranges);
        }
        if at >= end {
            return below.simplified(ranges);
        }
        ranges[axis] = (lowest, at);
        let below = below.simplified(ranges);
        ranges[axis] = (at, end);
        let at_or_above = at_or_above.simplified(ranges);
        ranges[axis] = (lowest, end);
        FlatTree::test(axis, at, below, at_or_above)
    }
}

/// A builder of a tree from its preorder list, as a file holds it.
#[derive(Debug, Default)]
pub(super) struct Preorder {
    entries: Vec<Entry>,
    /// The tests that still lack a side: their position and whether the lower side is complete.
    open: Vec<(usize, bool)>,
}

impl Preorder {
    pub(super) fn test(&mut self, axis: usize, at: usize) {
        self.open.push((self.entries.len(), false));
        self.entries.push(Entry::Test { axis: axis as u8, at: at as u16, upper: 0 });
    }

    /// Adds the next leaf, which may complete the sides of tests above it.
    pub(super) fn leaf(&mut self, method: Option<MethodIndex>) {
        self.entries.push(Entry::Leaf(method));
        while let Some((test, lower_complete)) = self.open.pop() {
            if !lower_complete {
                let next = self.entries.len();
                if let Entry::Test { upper, .. } = &mut self.entries[test] {
                    *upper = (next - test) as u32;
                }
                self.open.push((test, true));
                return;
            }
        }
    }

    /// Returns the number of tests above the next entry.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn is_complete(&self) -> bool {
        !self.entries.is_empty() && self.open.is_empty()
    }

    pub(super) fn finish(self) -> Option<FlatTree> {
        self.is_complete().then_some(FlatTree(self.entries))
    }
}
