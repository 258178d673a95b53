//! The tree that branches are written of: no comparison in them can be left out.

use std::ops::Range;

use super::{FlatTree, Node, Subtree};

/// The samples of each axis that a part of a tree is asked for.
pub(super) type Samples = Vec<Range<usize>>;

impl FlatTree {
    /// Merges answers that tests of a [simplified](Self::simplified) tree part although nothing changes there.
    ///
    /// A part *goes on* across a border where it would answer there as what stands there does. Then
    ///
    /// - a test one side of which goes on across the whole border is left out;
    /// - of two tests in a row on one axis, the upper one is left out where the answers between the two go on across it;
    /// - where both sides of a test have one and the same second test, and a quadrant goes on into its neighbour across the
    ///   first, the second test is asked first, and the first one only where the other two quadrants lie.
    ///
    /// Each step leaves out a test at least. What remains decides the same.
    pub(super) fn merged(&self, shape: &[usize]) -> Self {
        let mut samples: Samples = shape.iter().map(|&len| 0..len).collect();
        self.root().merged(&mut samples)
    }
}

impl Subtree<'_> {
    fn merged(self, samples: &mut Samples) -> FlatTree {
        let Node::Test { axis, at, below, at_or_above } = self.node() else { return self.to_tree() };
        let whole = samples[axis].clone();
        let below = within(samples, axis, whole.start..at, |samples| below.merged(samples));
        let at_or_above = within(samples, axis, at..whole.end, |samples| at_or_above.merged(samples));
        joined(axis, at, &below, &at_or_above, samples)
    }

    /// Whether two parts decide the same for all these samples.
    pub(super) fn decides_as(self, other: Self, samples: &mut Samples) -> bool {
        let Node::Test { axis, at, below, at_or_above } = self.node() else {
            return match other.node() {
                Node::Leaf(_) => self == other,
                Node::Test { .. } => other.decides_as(self, samples),
            };
        };
        let Range { start, end } = samples[axis].clone();
        (at <= start || within(samples, axis, start..end.min(at), |samples| other.decides_as(below, samples)))
            && (at >= end
                || within(samples, axis, start.max(at)..end, |samples| {
                    other.decides_as(at_or_above, samples)
                }))
    }
}

/// Does something within a part of the samples of one axis.
pub(super) fn within<T>(
    samples: &mut Samples,
    axis: usize,
    part: Range<usize>,
    act: impl FnOnce(&mut Samples) -> T,
) -> T {
    let whole = std::mem::replace(&mut samples[axis], part);
    let result = act(samples);
    samples[axis] = whole;
    result
}

/// A test of two merged sides, itself merged.
fn joined(
    axis: usize,
    at: usize,
    below: &FlatTree,
    at_or_above: &FlatTree,
    samples: &mut Samples,
) -> FlatTree {
    let (low, high) = (below.root(), at_or_above.root());
    let Range { start, end } = samples[axis].clone();
    if within(samples, axis, at..end, |samples| low.decides_as(high, samples)) {
        return below.clone();
    }
    if within(samples, axis, start..at, |samples| high.decides_as(low, samples)) {
        return at_or_above.clone();
    }
    if let Node::Test { axis: second, at: cut, below: first, at_or_above: band } = low.node()
        && second == axis
        && within(samples, axis, cut..at, |samples| high.decides_as(band, samples))
    {
        return joined(axis, cut, &first.to_tree(), at_or_above, samples);
    }
    if let Node::Test { axis: second, at: cut, below: band, at_or_above: last } = high.node()
        && second == axis
        && within(samples, axis, at..cut, |samples| low.decides_as(band, samples))
    {
        return joined(axis, cut, below, &last.to_tree(), samples);
    }
    turned(axis, at, low, high, samples)
        .unwrap_or_else(|| FlatTree::test(axis, at, below.clone(), at_or_above.clone()))
}

/// The second test of four quadrants first, where one of them goes on across the first test.
fn turned(
    axis: usize,
    at: usize,
    low: Subtree<'_>,
    high: Subtree<'_>,
    samples: &mut Samples,
) -> Option<FlatTree> {
    let (
        Node::Test { axis: second, at: cut, below: nw, at_or_above: ne },
        Node::Test { axis: other, at: other_cut, below: sw, at_or_above: se },
    ) = (low.node(), high.node())
    else {
        return None;
    };
    if (second, cut) != (other, other_cut) || second == axis {
        return None;
    }
    let Range { start, end } = samples[axis].clone();
    let whole = samples[second].clone();
    let mut one_of = |lower: Subtree<'_>, upper: Subtree<'_>, part: Range<usize>| {
        within(samples, second, part, |samples| {
            if within(samples, axis, at..end, |samples| lower.decides_as(upper, samples)) {
                return Some(lower.to_tree());
            }
            let goes_on = within(samples, axis, start..at, |samples| upper.decides_as(lower, samples));
            goes_on.then(|| upper.to_tree())
        })
    };
    let (west, east) = (one_of(nw, sw, whole.start..cut), one_of(ne, se, cut..whole.end));
    if west.is_none() && east.is_none() {
        return None;
    }
    let mut parted = |lower: Subtree<'_>, upper: Subtree<'_>, part: Range<usize>| {
        within(samples, second, part, |samples| joined(axis, at, &lower.to_tree(), &upper.to_tree(), samples))
    };
    let west = west.unwrap_or_else(|| parted(nw, sw, whole.start..cut));
    let east = east.unwrap_or_else(|| parted(ne, se, cut..whole.end));
    Some(joined(second, cut, &west, &east, samples))
}
