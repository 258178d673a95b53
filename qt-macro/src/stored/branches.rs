//! The branches of a tree, as `qtdec_core::tree::Block` has them.

use super::nodes::{Bound, Node, Nodes, Subtree, split};

/// The top of a subtree, in the form in which branches write it.
pub(super) enum Top<'t> {
    /// No test.
    Answer(Option<usize>),
    /// One test, and its two sides.
    Side(Bound, Subtree<'t>, Subtree<'t>),
    /// One corner that differs from the three others: its two bounds, what holds there, and what holds elsewhere.
    Corner(Bound, Bound, Subtree<'t>, Subtree<'t>),
    /// NW, NE, SW and SE: both sides test a second axis at the same sample.
    Quadrants(Bound, Bound, [Subtree<'t>; 4]),
}

impl<'t> Top<'t> {
    pub(super) fn new(subtree: Subtree<'t>) -> Self {
        let Some((low, below, above)) = split(subtree) else {
            return Self::Answer(if let Node::Leaf(method) = subtree[0] { method } else { None });
        };
        if let (Some((second, nw, ne)), Some((other, sw, se))) = (split(below), split(above))
            && second == other
            && second.axis != low.axis
        {
            return Self::Quadrants(low, second, [nw, ne, sw, se]);
        }
        let corner = Self::corner(low, below, above).or_else(|| Self::corner(low.other(), above, below));
        corner.unwrap_or(Self::Side(low, below, above))
    }

    fn corner(side: Bound, part: Subtree<'t>, otherwise: Subtree<'t>) -> Option<Self> {
        let (second, below, above) = split(part)?;
        // A band on one axis is not a corner, and reads better nested.
        if second.axis == side.axis {
            None
        } else if above == otherwise {
            Some(Self::Corner(side, second, below, otherwise))
        } else if below == otherwise {
            Some(Self::Corner(side, second.other(), above, otherwise))
        } else {
            None
        }
    }
}

/// The condition of an arm: one side of a cut; a corner, which is one side of each of two; or this corner or the opposite one.
#[derive(Clone, Copy)]
pub(super) enum Condition {
    Side(Bound),
    Corner(Bound, Bound),
    Diagonal(Bound, Bound),
}

impl Condition {
    /// Returns whether this condition and the other one are opposite corners of the same two cuts.
    pub(super) fn is_opposite(self, other: Self) -> bool {
        match (self, other) {
            (Self::Corner(one, two), Self::Corner(first, second)) => {
                one == first.other() && two == second.other()
            }
            _ => false,
        }
    }
}

/// The conditions that are tested one after the other, each with what follows where it holds, and what follows where all fail.
pub(super) struct Block {
    pub(super) arms: Vec<(Condition, Block)>,
    /// A decision where there are no arms.
    pub(super) otherwise: Option<usize>,
}

impl Block {
    /// Returns the branches of a subtree.
    pub(super) fn new(subtree: Subtree<'_>) -> Self {
        use Condition::{Corner, Diagonal, Side};
        match Top::new(subtree) {
            Top::Answer(otherwise) => Self { arms: Vec::new(), otherwise },
            Top::Side(low, below, above) => Self::new(above).after(vec![(Side(low), Self::new(below))]),
            Top::Corner(side, second, then, otherwise) => {
                Self::new(otherwise).after(vec![(Corner(side, second), Self::new(then))])
            }
            Top::Quadrants(first, second, [nw, ne, sw, se]) => match (nw == se, ne == sw) {
                (true, true) => Self::new(ne).after(vec![(Diagonal(first, second), Self::new(nw))]),
                (true, false) => Self::new(nw).after(vec![
                    (Corner(first, second.other()), Self::new(ne)),
                    (Corner(first.other(), second), Self::new(sw)),
                ]),
                (false, true) => Self::new(ne).after(vec![
                    (Corner(first, second), Self::new(nw)),
                    (Corner(first.other(), second.other()), Self::new(se)),
                ]),
                (false, false) => {
                    // Columns come before rows if there are more columns of answers.
                    let is_pair =
                        |one: Subtree<'_>, other: Subtree<'_>| u8::from(one.len() == 1 && other.len() == 1);
                    let by_columns = is_pair(nw, sw) + is_pair(ne, se) > is_pair(nw, ne) + is_pair(sw, se);
                    let (first, second, ne, sw) =
                        if by_columns { (second, first, sw, ne) } else { (first, second, ne, sw) };
                    let side = |low: Subtree<'_>, high: Subtree<'_>| {
                        let (low, high) = (Nodes(low.to_vec()), Nodes(high.to_vec()));
                        Self::new(&Nodes::test(second.axis, second.at, low, high).0)
                    };
                    side(sw, se).after(vec![(Side(first), side(nw, ne))])
                }
            },
        }
    }

    /// Puts arms before the others.
    fn after(mut self, mut arms: Vec<(Condition, Self)>) -> Self {
        arms.append(&mut self.arms);
        Self { arms, ..self }
    }

    /// Returns the number of decisions, and the depth of the branches.
    pub(super) fn size(&self) -> (usize, usize) {
        let (mut leaves, mut levels) = (1, 0);
        for (_, then) in &self.arms {
            let size = then.size();
            leaves += size.0;
            levels = levels.max(size.1 + 1);
        }
        (leaves, levels)
    }

    /// Returns whether a condition compares the size on an axis.
    pub(super) fn compares(&self, axis: usize) -> bool {
        self.arms.iter().any(|(when, then)| {
            let is_compared = match when {
                Condition::Side(bound) => bound.axis == axis,
                Condition::Corner(first, second) | Condition::Diagonal(first, second) => {
                    first.axis == axis || second.axis == axis
                }
            };
            is_compared || then.compares(axis)
        })
    }
}
