//! The branches of a decision function.

use std::ops::Range;

use super::merged::{Samples, within};
use super::{Bound, Node, Subtree};
use crate::domain::MethodIndex;

/// A decision, or branches that lead to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The decision; `None` where the tree gives none.
    Answer(Option<MethodIndex>),
    /// The decision of a part that stands in a function of its own.
    Part(usize),
    /// `if … else if … else …`.
    Branches {
        /// The conditions, each tried when those before it have failed; at least one.
        arms: Vec<Arm>,
        /// What holds when all have failed; no branches itself.
        otherwise: Box<Block>,
    },
}

/// A condition, and what holds under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// When the arm is taken.
    pub when: Condition,
    /// What it leads to.
    pub then: Block,
}

/// When an arm is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// On one side of one cut.
    Side(Bound),
    /// In a corner: on one side of each of two cuts.
    Corner(Bound, Bound),
    /// On a diagonal: in this corner or in the one opposite.
    Diagonal(Bound, Bound),
}

impl Block {
    /// The branches of a [merged](super::FlatTree::merged) tree: quadrants in the order NW, NE, SW, SE, equal ones merged; or
    /// NW, SW, NE, SE where a processor then predicts more of the branches.
    pub(super) fn of(root: Subtree<'_>, shape: &[usize]) -> Self {
        let mut samples = shape.iter().map(|&len| 0..len).collect();
        Self::within(root, &mut samples)
    }

    fn within(subtree: Subtree<'_>, samples: &mut Samples) -> Self {
        let Chain { mut arms, otherwise, rest } = match Chain::of(subtree) {
            Ok(chain) => chain,
            Err(method) => return Self::Answer(method),
        };
        for index in (0..arms.len()).rev() {
            let after = &arms[index + 1..];
            let mut arm = arms[index].clone();
            while let Some(shorter) = arm.shorter(after, otherwise, samples) {
                arm = shorter;
            }
            arms[index] = arm;
        }
        let mut chain: Vec<Arm> = arms.into_iter().map(|arm| arm.written(samples)).collect();
        // The branches of the last `else` are drawn up into the chain.
        let otherwise = match inside(samples, &rest, |samples| Self::within(otherwise, samples)) {
            Self::Branches { arms, otherwise } => {
                chain.extend(arms);
                otherwise
            }
            answer => Box::new(answer),
        };
        Self::Branches { arms: chain, otherwise }
    }

    /// The number of decisions and calls.
    pub(crate) fn leaves(&self) -> usize {
        match self {
            Self::Answer(_) | Self::Part(_) => 1,
            Self::Branches { arms, otherwise } => {
                arms.iter().map(|arm| arm.then.leaves()).sum::<usize>() + otherwise.leaves()
            }
        }
    }

    /// How deep the branches are nested.
    pub(crate) fn levels(&self) -> usize {
        match self {
            Self::Answer(_) | Self::Part(_) => 0,
            Self::Branches { arms, .. } => 1 + arms.iter().map(|arm| arm.then.levels()).max().unwrap_or(0),
        }
    }

    /// The number of comparisons that are written down: one for each bound of every condition.
    pub fn comparisons(&self) -> u64 {
        match self {
            Self::Answer(_) | Self::Part(_) => 0,
            Self::Branches { arms, otherwise } => {
                let of_arm = |arm: &Arm| arm.when.bounds().len() as u64 + arm.then.comparisons();
                arms.iter().map(of_arm).sum::<u64>() + otherwise.comparisons()
            }
        }
    }

    /// The number of `if` and `else if`.
    pub fn conditions(&self) -> u64 {
        match self {
            Self::Answer(_) | Self::Part(_) => 0,
            Self::Branches { arms, otherwise } => {
                arms.iter().map(|arm| 1 + arm.then.conditions()).sum::<u64>() + otherwise.conditions()
            }
        }
    }
}

impl Condition {
    /// The bounds that are compared with.
    pub fn bounds(&self) -> Vec<Bound> {
        match *self {
            Self::Side(bound) => vec![bound],
            Self::Corner(first, second) | Self::Diagonal(first, second) => vec![first, second],
        }
    }
}

impl Bound {
    /// The other side of the same cut.
    #[must_use]
    pub(crate) fn other(self) -> Self {
        Self { below: !self.below, ..self }
    }
}

/// Conditions that are tried in turn, what holds under each, and what holds where all have failed.
struct Chain<'t> {
    arms: Vec<Branch<'t>>,
    otherwise: Subtree<'t>,
    /// Bounds of the samples for which all have failed.
    rest: Vec<Bound>,
}

/// A condition, and what holds under it.
#[derive(Clone)]
struct Branch<'t> {
    when: Condition,
    then: Subtree<'t>,
    /// Bounds of the samples for which the conditions before it have failed and this one holds.
    reached: Vec<Bound>,
}

impl<'t> Chain<'t> {
    /// The conditions at the top of a tree; the decision of a tree without a test.
    fn of(subtree: Subtree<'t>) -> Result<Self, Option<MethodIndex>> {
        let (axis, at, below, at_or_above) = match subtree.node() {
            Node::Leaf(method) => return Err(method),
            Node::Test { axis, at, below, at_or_above } => (axis, at, below, at_or_above),
        };
        let low = Bound { axis, at, below: true };
        Ok(match (below.node(), at_or_above.node()) {
            (
                Node::Test { axis: second, at: cut, below: nw, at_or_above: ne },
                Node::Test { axis: other, at: other_cut, below: sw, at_or_above: se },
            ) if (second, cut) == (other, other_cut) && second != axis => {
                Self::quadrants(low, Bound { axis: second, at: cut, below: true }, [nw, ne, sw, se])
            }
            (below_node, upper_node) => Self::corner(low, below_node, at_or_above)
                .or_else(|| Self::corner(low.other(), upper_node, below))
                .unwrap_or_else(|| Self {
                    rest: vec![low.other()],
                    ..Self::new([(Condition::Side(low), below)], at_or_above)
                }),
        })
    }

    fn new<const N: usize>(arms: [(Condition, Subtree<'t>); N], otherwise: Subtree<'t>) -> Self {
        let branch = |(when, then): (Condition, Subtree<'t>)| {
            // What is equal in both corners of a diagonal knows neither bound.
            let reached = if matches!(when, Condition::Diagonal(..)) { Vec::new() } else { when.bounds() };
            Branch { when, then, reached }
        };
        Self { arms: arms.into_iter().map(branch).collect(), otherwise, rest: Vec::new() }
    }

    /// Four quadrants; no two neighbours among them are equal, or the tree would cut only one axis here.
    fn quadrants(first: Bound, second: Bound, [nw, ne, sw, se]: [Subtree<'t>; 4]) -> Self {
        match (nw == se, ne == sw) {
            (true, true) => Self::new([(Condition::Diagonal(first, second), nw)], ne),
            (true, false) => {
                let (ne_corner, sw_corner) =
                    (Condition::Corner(first, second.other()), Condition::Corner(first.other(), second));
                Self::new([(ne_corner, ne), (sw_corner, sw)], nw)
            }
            (false, true) => {
                let (nw_corner, se_corner) =
                    (Condition::Corner(first, second), Condition::Corner(first.other(), second.other()));
                Self::new([(nw_corner, nw), (se_corner, se)], ne)
            }
            (false, false) => {
                // Columns before rows, where there are more columns of answers.
                let (first, second, ne, sw) = if pairs([[nw, sw], [ne, se]]) > pairs([[nw, ne], [sw, se]]) {
                    (second, first, sw, ne)
                } else {
                    (first, second, ne, sw)
                };
                let arms = [
                    (Condition::Corner(first, second), nw),
                    (Condition::Side(first), ne),
                    (Condition::Side(second), sw),
                ];
                let mut chain = Self::new(arms, se);
                chain.arms[1].reached.push(second.other());
                chain.arms[2].reached.push(first.other());
                Self { rest: vec![first.other(), second.other()], ..chain }
            }
        }
    }

    /// One corner that differs from the three others: the tree tests a second axis on one side only, and one outcome of
    /// that test is what holds on the other side.
    fn corner(side: Bound, node: Node<'t>, other: Subtree<'t>) -> Option<Self> {
        let Node::Test { axis, at, below, at_or_above } = node else { return None };
        let second = Bound { axis, at, below: true };
        let one = |second: Bound, then| Self::new([(Condition::Corner(side, second), then)], other);
        // A band on one axis is no corner, and reads better nested.
        match () {
            () if axis == side.axis => None,
            () if at_or_above == other => Some(one(second, below)),
            () if below == other => Some(one(second.other(), at_or_above)),
            () => None,
        }
    }
}

impl<'t> Branch<'t> {
    fn written(self, samples: &mut Samples) -> Arm {
        let Self { when, then, reached } = self;
        let then = inside(samples, &reached, |samples| Block::within(then, samples));
        Arm { when, then }
    }

    /// The same branch with a comparison less, where there is one.
    fn shorter(&self, after: &[Self], otherwise: Subtree<'t>, samples: &mut Samples) -> Option<Self> {
        self.taken_in(after, otherwise, samples).or_else(|| self.loosened(after, otherwise, samples))
    }

    /// The branch whose condition takes in that of the only arm inside: where the bounds of both are two at most, and the
    /// inner `else` decides as what follows.
    fn taken_in(&self, after: &[Self], otherwise: Subtree<'t>, samples: &mut Samples) -> Option<Self> {
        let Chain { arms, otherwise: inner_else, .. } = Chain::of(self.then).ok()?;
        let [Self { when: inner, then, .. }] = &arms[..] else { return None };
        let is_diagonal = |when: &Condition| matches!(when, Condition::Diagonal(..));
        if !inner_else.is_leaf() || is_diagonal(&self.when) || is_diagonal(inner) {
            return None;
        }
        let (outer, inner) = (self.when.bounds(), inner.bounds());
        // Of two bounds on one side, the inner one is the narrower.
        let is_implied =
            |bound: &Bound| inner.iter().any(|other| (other.axis, other.below) == (bound.axis, bound.below));
        let kept: Vec<Bound> = outer.iter().copied().filter(|bound| !is_implied(bound)).collect();
        let when = match [&kept[..], &inner[..]].concat()[..] {
            [bound] => Condition::Side(bound),
            [first, second] if kept.len() < outer.len() => Condition::Corner(first, second),
            _ => return None,
        };
        let falls_through = inside(samples, &self.reached, |samples| {
            outside(samples, &inner, &mut |samples| decide_as(after, otherwise, inner_else, samples))
        });
        let reached = [&self.reached[..], &inner[..]].concat();
        falls_through.then_some(Self { when, then: *then, reached })
    }

    /// The branch without one bound of its corner, if what follows decides the same beyond that bound.
    fn loosened(&self, after: &[Self], otherwise: Subtree<'t>, samples: &mut Samples) -> Option<Self> {
        let Condition::Corner(first, second) = self.when else { return None };
        let goes_on = |kept: Bound, dropped: Bound, samples: &mut Samples| {
            inside(samples, &[kept, dropped.other()], |samples| {
                decide_as(after, otherwise, self.then, samples)
            })
        };
        let kept = if goes_on(first, second, samples) {
            first
        } else if goes_on(second, first, samples) {
            second
        } else {
            return None;
        };
        Some(Self { when: Condition::Side(kept), then: self.then, reached: vec![kept] })
    }
}

/// Whether branches decide as a tree does for all these samples.
fn decide_as(arms: &[Branch<'_>], otherwise: Subtree<'_>, tree: Subtree<'_>, samples: &mut Samples) -> bool {
    if samples.iter().any(Range::is_empty) {
        return true;
    }
    let Some((Branch { when, then, .. }, after)) = arms.split_first() else {
        return otherwise.decides_as(tree, samples);
    };
    let bounds = when.bounds();
    inside(samples, &bounds, |samples| samples.iter().any(Range::is_empty) || then.decides_as(tree, samples))
        && outside(samples, &bounds, &mut |samples| decide_as(after, otherwise, tree, samples))
}

/// Whether something holds everywhere outside of bounds, box by box: outside the first, and inside it but outside the second.
fn outside(samples: &mut Samples, bounds: &[Bound], holds: &mut impl FnMut(&mut Samples) -> bool) -> bool {
    (0..bounds.len()).all(|left| {
        let part: Vec<Bound> = bounds[..left].iter().copied().chain([bounds[left].other()]).collect();
        inside(samples, &part, &mut *holds)
    })
}

/// Does something inside of bounds.
fn inside<T>(samples: &mut Samples, bounds: &[Bound], act: impl FnOnce(&mut Samples) -> T) -> T {
    let Some((&Bound { axis, at, below }, others)) = bounds.split_first() else { return act(samples) };
    let whole = samples[axis].clone();
    let part = if below { whole.start..whole.end.min(at) } else { whole.start.max(at)..whole.end };
    within(samples, axis, part, |samples| inside(samples, others, act))
}

/// How many of these pairs are two answers. A compiler makes a selection of the test between them, not a branch that a
/// processor may predict wrong.
fn pairs(of: [[Subtree<'_>; 2]; 2]) -> usize {
    of.iter().filter(|pair| pair.iter().all(|subtree| subtree.is_leaf())).count()
}
