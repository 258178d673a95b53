//! The branches of a decision function.

use super::{Bound, FlatTree, Node, Subtree};
use crate::domain::MethodIndex;

/// A decision, or branches that lead to one.
///
/// The variants are complete: code that prints a tree must handle each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The decision; `None` where the tree gives none.
    Answer(Option<MethodIndex>),
    /// The decision of a part that is in a function of its own.
    Part(usize),
    /// `if … else if … else …`.
    Branches {
        /// The conditions, each tested if those before it have failed; at least one.
        arms: Vec<Arm>,
        /// The block to use if all conditions fail; not branches itself.
        otherwise: Box<Block>,
    },
}

/// A condition and the block for which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The condition of the arm.
    pub when: Condition,
    /// The block that the arm leads to.
    pub then: Block,
}

/// The condition of an arm.
///
/// The variants are complete: code that prints a tree must handle each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// One side of one cut.
    Side(Bound),
    /// A corner: one side of each of two cuts.
    Corner(Bound, Bound),
    /// A diagonal: this corner or the opposite one.
    Diagonal(Bound, Bound),
}

impl Condition {
    /// Returns whether this condition and the other one are opposite corners of the same two cuts. At most one of them holds.
    pub fn is_opposite(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Corner(one, two), Self::Corner(first, second)) => {
                (*one, *two) == (first.other(), second.other())
            }
            _ => false,
        }
    }

    fn compares(&self, axis: usize) -> bool {
        match self {
            Self::Side(bound) => bound.axis == axis,
            Self::Corner(one, two) | Self::Diagonal(one, two) => one.axis == axis || two.axis == axis,
        }
    }
}

impl Block {
    /// Returns the branches of a subtree, with quadrants in the order NW, NE, SW, SE and equal ones merged; or NW, SW, NE, SE if a
    /// processor then predicts more of the branches.
    ///
    /// No path compares a size with the same threshold twice, except in two [opposite](Condition::is_opposite) corners, one after the other.
    pub(super) fn from_subtree(subtree: Subtree<'_>) -> Self {
        match Top::from_subtree(subtree) {
            Top::Answer(method) => Self::Answer(method),
            Top::Side { low, below, at_or_above } => branches([(Condition::Side(low), below)], at_or_above),
            Top::Corner { side, second, then, otherwise } => {
                branches([(Condition::Corner(side, second), then)], otherwise)
            }
            Top::Quadrants { first, second, parts } => quadrants(first, second, parts),
        }
    }

    pub(crate) fn leaves(&self) -> usize {
        match self {
            Self::Answer(_) | Self::Part(_) => 1,
            Self::Branches { arms, otherwise } => {
                arms.iter().map(|arm| arm.then.leaves()).sum::<usize>() + otherwise.leaves()
            }
        }
    }

    pub(crate) fn levels(&self) -> usize {
        match self {
            Self::Answer(_) | Self::Part(_) => 0,
            Self::Branches { arms, .. } => 1 + arms.iter().map(|arm| arm.then.levels()).max().unwrap_or(0),
        }
    }

    /// Returns whether a condition compares the size on an axis.
    pub fn compares(&self, axis: usize) -> bool {
        let Self::Branches { arms, otherwise } = self else { return false };
        otherwise.compares(axis) || arms.iter().any(|arm| arm.when.compares(axis) || arm.then.compares(axis))
    }

    /// Returns the number of `if` and `else if`.
    pub fn conditions(&self) -> u64 {
        // Each of them adds one leaf to that of the last `else`.
        self.leaves() as u64 - 1
    }
}

/// The top of a subtree, in the form in which branches write it.
pub(super) enum Top<'t> {
    /// No test.
    Answer(Option<MethodIndex>),
    /// One test.
    Side { low: Bound, below: Subtree<'t>, at_or_above: Subtree<'t> },
    /// One corner that differs from the three others: a second axis is tested on one side only, and one outcome of that test equals
    /// the other side.
    Corner { side: Bound, second: Bound, then: Subtree<'t>, otherwise: Subtree<'t> },
    /// NW, NE, SW and SE: both sides test a second axis at the same sample.
    Quadrants { first: Bound, second: Bound, parts: [Subtree<'t>; 4] },
}

impl<'t> Top<'t> {
    pub(super) fn from_subtree(subtree: Subtree<'t>) -> Self {
        let (axis, at, below, at_or_above) = match subtree.node() {
            Node::Leaf(method) => return Self::Answer(method),
            Node::Test { axis, at, below, at_or_above } => (axis, at, below, at_or_above),
        };
        let low = Bound { axis, at, below: true };
        match (below.node(), at_or_above.node()) {
            (
                Node::Test { axis: second, at: cut, below: nw, at_or_above: ne },
                Node::Test { axis: other, at: other_cut, below: sw, at_or_above: se },
            ) if (second, cut) == (other, other_cut) && second != axis => {
                let second = Bound { axis: second, at: cut, below: true };
                Self::Quadrants { first: low, second, parts: [nw, ne, sw, se] }
            }
            (below_node, upper_node) => Self::corner(low, below_node, at_or_above)
                .or_else(|| Self::corner(low.other(), upper_node, below))
                .unwrap_or(Self::Side { low, below, at_or_above }),
        }
    }

    fn corner(side: Bound, node: Node<'t>, otherwise: Subtree<'t>) -> Option<Self> {
        let Node::Test { axis, at, below, at_or_above } = node else { return None };
        let second = Bound { axis, at, below: true };
        // A band on one axis is not a corner, and reads better nested.
        match () {
            () if axis == side.axis => None,
            () if at_or_above == otherwise => Some(Self::Corner { side, second, then: below, otherwise }),
            () if below == otherwise => {
                Some(Self::Corner { side, second: second.other(), then: at_or_above, otherwise })
            }
            () => None,
        }
    }
}

impl Bound {
    /// Returns the other side of the same cut.
    #[must_use]
    pub(crate) fn other(self) -> Self {
        Self { below: !self.below, ..self }
    }
}

/// Returns branches for four quadrants. No two adjacent ones are equal, or the tree would cut only one axis here.
fn quadrants(first: Bound, second: Bound, [nw, ne, sw, se]: [Subtree<'_>; 4]) -> Block {
    match (nw == se, ne == sw) {
        (true, true) => branches([(Condition::Diagonal(first, second), nw)], ne),
        (true, false) => {
            let (ne_corner, sw_corner) =
                (Condition::Corner(first, second.other()), Condition::Corner(first.other(), second));
            branches([(ne_corner, ne), (sw_corner, sw)], nw)
        }
        (false, true) => {
            let (nw_corner, se_corner) =
                (Condition::Corner(first, second), Condition::Corner(first.other(), second.other()));
            branches([(nw_corner, nw), (se_corner, se)], ne)
        }
        (false, false) => {
            // Columns come before rows if there are more columns of answers.
            let (first, second, ne, sw) = if pairs([[nw, sw], [ne, se]]) > pairs([[nw, ne], [sw, se]]) {
                (second, first, sw, ne)
            } else {
                (first, second, ne, sw)
            };
            // Nested, so that no path compares a size with the same threshold twice.
            let Bound { axis, at, .. } = second;
            let side = |low: Subtree<'_>, high: Subtree<'_>| {
                Block::from_subtree(FlatTree::test(axis, at, low.to_tree(), high.to_tree()).root())
            };
            chain(vec![Arm { when: Condition::Side(first), then: side(nw, ne) }], side(sw, se))
        }
    }
}

/// Returns how many of these pairs are two answers. A compiler turns the test between them into a selection instead of a branch, which
/// a processor may mispredict.
fn pairs(of: [[Subtree<'_>; 2]; 2]) -> usize {
    of.iter().filter(|pair| pair.iter().all(|subtree| subtree.is_leaf())).count()
}

/// Returns branches for these arms, which are tested one after the other.
fn branches<const N: usize>(arms: [(Condition, Subtree<'_>); N], otherwise: Subtree<'_>) -> Block {
    let arms = arms.into_iter().map(|(when, then)| Arm { when, then: Block::from_subtree(then) });
    chain(arms.collect(), Block::from_subtree(otherwise))
}

/// Returns a chain `if … else if … else …`, merged with the branches of the last `else`.
fn chain(mut arms: Vec<Arm>, otherwise: Block) -> Block {
    match otherwise {
        Block::Branches { arms: others, otherwise } => {
            arms.extend(others);
            Block::Branches { arms, otherwise }
        }
        answer => Block::Branches { arms, otherwise: Box::new(answer) },
    }
}
