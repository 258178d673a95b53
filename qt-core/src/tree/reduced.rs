//! The tree from which branches are written: each of its tests is needed.

use std::cmp::Ordering;
use std::ops::Range;

use super::Bound;
use super::block::Top;
use super::flat_tree::{FlatTree, Node, Subtree, whole};

/// A box of samples: on each axis, those from the first number up to, but not including, the second.
type SampleBox = Vec<(usize, usize)>;

/// The size of branches.
struct Size {
    /// The number of different comparisons, which are two in a corner and three in four quadrants.
    tests: usize,
    /// The number of `if` and `else if`.
    conditions: usize,
}

impl FlatTree {
    /// Removes tests that are not needed from a [simplified](Self::simplified) tree.
    ///
    /// There are two ways to save tests. First, the border of a test can move, so that one side also answers for samples of the other
    /// side, or for all of them. Second, two tests can be exchanged if the lower one is on both sides of the upper one, and one side then
    /// answers for both. Neither is done if any sample would take more tests, or if the branches would have more conditions.
    pub(super) fn reduced(&self, shape: &[usize]) -> Self {
        self.root().reduced(&[whole(shape)])
    }
}

impl Subtree<'_> {
    /// Returns the size of the branches. A part that is written once for two places counts once.
    fn size(self) -> Size {
        let (mut size, parts) = match Top::from_subtree(self) {
            Top::Answer(_) => return Size { tests: 0, conditions: 0 },
            Top::Side { below, at_or_above, .. } => {
                (Size { tests: 1, conditions: 1 }, vec![below, at_or_above])
            }
            Top::Corner { then, otherwise, .. } => (Size { tests: 2, conditions: 1 }, vec![then, otherwise]),
            Top::Quadrants { parts: [nw, ne, sw, se], .. } => match (nw == se, ne == sw) {
                (true, true) => (Size { tests: 2, conditions: 1 }, vec![nw, ne]),
                (true, false) => (Size { tests: 3, conditions: 2 }, vec![nw, ne, sw]),
                (false, true) => (Size { tests: 3, conditions: 2 }, vec![nw, ne, se]),
                (false, false) => (Size { tests: 3, conditions: 3 }, vec![nw, ne, sw, se]),
            },
        };
        for part in parts {
            let part = part.size();
            size.tests += part.tests;
            size.conditions += part.conditions;
        }
        size
    }

    /// Returns whether the branches have fewer tests than others, in no more conditions.
    fn is_smaller_than(self, other: Self) -> bool {
        let (size, other) = (self.size(), other.size());
        size.tests < other.tests && size.conditions <= other.conditions
    }

    fn reduced(self, boxes: &[SampleBox]) -> FlatTree {
        let tree = match Top::from_subtree(self) {
            Top::Answer(_) => return self.to_tree(),
            _ if boxes.is_empty() => return self.to_tree(),
            Top::Side { low, below, at_or_above } => {
                let at_or_above = at_or_above.reduced_at(boxes, &[&[low.other()]]);
                joined(low, below.reduced_at(boxes, &[&[low]]), at_or_above)
            }
            Top::Corner { side, second, then, otherwise } => {
                let then = then.reduced_at(boxes, &[&[side, second]]);
                let otherwise = otherwise.reduced_at(boxes, &[&[side, second.other()], &[side.other()]]);
                joined(side, joined(second, then, otherwise.clone()), otherwise)
            }
            Top::Quadrants { first, second, parts: [nw, ne, sw, se] } => {
                let places = [[first, second], [first.other(), second.other()]];
                let (nw, se) = nw.reduced_with(se, boxes, places);
                let (ne, sw) = ne.reduced_with(sw, boxes, places.map(|[side, at]| [side, at.other()]));
                joined(first, joined(second, nw, ne), joined(second, sw, se))
            }
        };
        // Parts that are smaller individually may need more conditions together.
        let is_larger = tree.root().size().conditions > self.size().conditions;
        let tree = if is_larger { self.to_tree() } else { tree };
        let root = tree.root();
        match root.moved(boxes).or_else(|| root.turned(boxes)).or_else(|| root.moved_below(boxes)) {
            Some(smaller) => smaller.root().reduced(boxes),
            None => tree,
        }
    }

    /// Reduces a part that answers inside of any of these bounds.
    fn reduced_at(self, boxes: &[SampleBox], places: &[&[Bound]]) -> FlatTree {
        let within: Vec<SampleBox> = places.iter().flat_map(|bounds| inside(boxes, bounds)).collect();
        self.reduced(&within)
    }

    /// Reduces two parts of different places, which stay equal if they are.
    fn reduced_with(
        self,
        other: Self,
        boxes: &[SampleBox],
        [own, of_other]: [[Bound; 2]; 2],
    ) -> (FlatTree, FlatTree) {
        if self == other {
            let both = self.reduced_at(boxes, &[&own, &of_other]);
            (both.clone(), both)
        } else {
            (self.reduced_at(boxes, &[&own]), other.reduced_at(boxes, &[&of_other]))
        }
    }

    /// Moves the border of the top test to where the tree has the fewest tests. Returns `None` if no border saves a test.
    fn moved(self, boxes: &[SampleBox]) -> Option<FlatTree> {
        let Node::Test { axis, at, below, at_or_above } = self.node() else { return None };
        let whole = bounding(boxes);
        let (lowest, end) = whole[axis];
        let mut borders = vec![(lowest.abs_diff(at), lowest), (end.abs_diff(at), end)];
        for (_, border) in below.cuts().chain(at_or_above.cuts()).filter(|cut| cut.0 == axis) {
            borders.push((border.abs_diff(at), border));
        }
        // The first of equally good borders is the nearest.
        borders.sort_unstable();
        borders.dedup();
        // Where the border cannot move to, it cannot move beyond.
        let (mut stops_below, mut stops_above) = (false, false);
        let mut best: Option<FlatTree> = None;
        for (_, border) in borders {
            let (stops, answers, other) = match border.cmp(&at) {
                Ordering::Less => (&mut stops_below, at_or_above, below),
                Ordering::Equal => continue,
                Ordering::Greater => (&mut stops_above, below, at_or_above),
            };
            let strip = clipped(boxes, axis, at.min(border)..at.max(border));
            *stops = *stops || strip.iter().any(|within| !answers.replaces(other, within, (0, 0)));
            if *stops {
                continue;
            }
            let tree = self.with_top(border).root().simplified(&mut whole.clone());
            let is_better = |best: &FlatTree| tree.root().size().tests < best.root().size().tests;
            if tree.root().is_smaller_than(self) && best.as_ref().is_none_or(is_better) {
                best = Some(tree);
            }
        }
        best
    }

    /// Moves the border of a test below the top one, if parts that are written once for two places have kept it in place.
    fn moved_below(self, boxes: &[SampleBox]) -> Option<FlatTree> {
        let Node::Test { axis, at, below, at_or_above } = self.node() else { return None };
        let low = Bound { axis, at, below: true };
        let new_below = below.moved(&inside(boxes, &[low]));
        let new_above = at_or_above.moved(&inside(boxes, &[low.other()]));
        let tree = joined(
            low,
            new_below.unwrap_or_else(|| below.to_tree()),
            new_above.unwrap_or_else(|| at_or_above.to_tree()),
        );
        tree.root().is_smaller_than(self).then_some(tree)
    }

    /// Exchanges the top test and the next one, if the next one is the same on both sides and one of its sides answers for both.
    fn turned(self, boxes: &[SampleBox]) -> Option<FlatTree> {
        let Top::Quadrants { first, second, parts: [nw, ne, sw, se] } = Top::from_subtree(self) else {
            return None;
        };
        let answers = |one: Self, other: Self, place: [Bound; 2]| {
            inside(boxes, &place).iter().all(|within| one.replaces(other, within, (1, 2)))
        };
        let one_for_both = |low: Self, high: Self, at: Bound| match () {
            () if answers(low, high, [at, first.other()]) => Some(low.to_tree()),
            () if answers(high, low, [at, first]) => Some(high.to_tree()),
            () => None,
        };
        let (west, east) = (one_for_both(nw, sw, second), one_for_both(ne, se, second.other()));
        if west.is_none() && east.is_none() {
            return None;
        }
        let test = |low: Self, high: Self| joined(first, low.to_tree(), high.to_tree());
        let turned =
            joined(second, west.unwrap_or_else(|| test(nw, sw)), east.unwrap_or_else(|| test(ne, se)));
        turned.root().is_smaller_than(self).then_some(turned)
    }

    /// Returns whether this part answers like another one for all these samples, with no more tests for any of them. `tests` are evaluated
    /// before each part.
    fn replaces(self, other: Self, within: &SampleBox, tests: (usize, usize)) -> bool {
        let (split, tests) = match (self.node(), other.node()) {
            (Node::Leaf(method), Node::Leaf(expected)) => return method == expected && tests.0 <= tests.1,
            (Node::Test { axis, at, below, at_or_above }, _) => {
                ((axis, at, [(below, other), (at_or_above, other)]), (tests.0 + 1, tests.1))
            }
            (Node::Leaf(_), Node::Test { axis, at, below, at_or_above }) => {
                ((axis, at, [(self, below), (self, at_or_above)]), (tests.0, tests.1 + 1))
            }
        };
        let (axis, at, sides) = split;
        [0..at, at..usize::MAX].into_iter().zip(sides).all(|(part, (one, other))| {
            clipped(std::slice::from_ref(within), axis, part)
                .iter()
                .all(|within| one.replaces(other, within, tests))
        })
    }
}

/// Returns a test of one side of a cut.
fn joined(Bound { axis, at, below }: Bound, holds: FlatTree, fails: FlatTree) -> FlatTree {
    if below { FlatTree::test(axis, at, holds, fails) } else { FlatTree::test(axis, at, fails, holds) }
}

fn inside(boxes: &[SampleBox], bounds: &[Bound]) -> Vec<SampleBox> {
    bounds.iter().fold(boxes.to_vec(), |boxes, &Bound { axis, at, below }| {
        clipped(&boxes, axis, if below { 0..at } else { at..usize::MAX })
    })
}

fn clipped(boxes: &[SampleBox], axis: usize, to: Range<usize>) -> Vec<SampleBox> {
    let parts = boxes.iter().filter_map(|whole| {
        let mut part = whole.clone();
        part[axis] = (whole[axis].0.max(to.start), whole[axis].1.min(to.end));
        (part[axis].0 < part[axis].1).then_some(part)
    });
    parts.collect()
}

fn bounding(boxes: &[SampleBox]) -> SampleBox {
    let mut around = boxes.first().cloned().unwrap_or_default();
    for one in boxes {
        for (around, one) in around.iter_mut().zip(one) {
            *around = (around.0.min(one.0), around.1.max(one.1));
        }
    }
    around
}
