//! The cuts of a block, found again from the tests of a tree.

use crate::tree::{Bound, Node, Subtree};

use super::cover::is_below;

/// Returns the cuts of the block at the top of a subtree, at most one on each axis, in the order of the axes; none for a decision.
///
/// The first test is always one of them. A test below it joins them if every part of the block is a decision or begins with this test, so
/// that the block has quadrants and not halves of halves. It also joins them if one of its sides equals another part, which is then written
/// once.
pub(super) fn cuts(subtree: Subtree<'_>) -> Vec<Bound> {
    let mut cuts = Vec::new();
    while let Some(next) = next(subtree, &cuts) {
        cuts.push(next);
        cuts.sort_unstable_by_key(|cut| cut.axis);
    }
    cuts
}

/// Returns another cut of the block, if there is one.
fn next(subtree: Subtree<'_>, cuts: &[Bound]) -> Option<Bound> {
    let parts: Vec<Subtree<'_>> =
        (0..1 << cuts.len()).map(|quadrant| part(subtree, quadrant, cuts)).collect();
    let first = parts.iter().filter_map(|part| match part.node() {
        Node::Test { axis, at, .. } => Some(Bound { axis, at, below: true }),
        Node::Leaf(_) => None,
    });
    let first: Vec<Bound> = first.filter(|first| cuts.iter().all(|cut| cut.axis != first.axis)).collect();
    let joins = |cut: &&Bound| {
        // With two borders on one axis, the name of a quadrant would not say which is meant.
        let is_alone = first.iter().all(|first| first.axis != cut.axis || first.at == cut.at);
        let is_common = || parts.iter().all(|part| part.is_leaf() || sides(*part, **cut).is_some());
        let is_shared = || {
            let mut sides = parts.iter().filter_map(|part| sides(*part, **cut)).flatten();
            sides.any(|side| parts.contains(&side))
        };
        is_alone && (is_common() || is_shared())
    };
    first.iter().filter(joins).min_by_key(|cut| cut.axis).copied()
}

/// Returns both sides of a part that begins with the test of this cut.
fn sides(part: Subtree<'_>, cut: Bound) -> Option<[Subtree<'_>; 2]> {
    match part.node() {
        Node::Test { axis, at, below, at_or_above } if (axis, at) == (cut.axis, cut.at) => {
            Some([below, at_or_above])
        }
        Node::Test { .. } | Node::Leaf(_) => None,
    }
}

/// Returns the part of a subtree that decides a quadrant.
pub(super) fn part<'t>(mut subtree: Subtree<'t>, quadrant: usize, cuts: &[Bound]) -> Subtree<'t> {
    while let Some((place, [below, at_or_above])) =
        cuts.iter().enumerate().find_map(|(place, cut)| Some((place, sides(subtree, *cut)?)))
    {
        subtree = if is_below(quadrant, place, cuts.len()) { below } else { at_or_above };
    }
    subtree
}
