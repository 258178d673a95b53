//! The tree from which branches are written, as `qtdec_core` reduces it: each of its tests is needed.

use super::branches::Top;
use super::nodes::{Bound, Node, Nodes, Samples, Subtree, simplified, split, whole};

/// Removes tests that are not needed from a simplified tree: borders move, and tests are exchanged.
pub(super) fn reduced(nodes: &Nodes, shape: &[usize]) -> Nodes {
    part(&nodes.0, &[whole(shape)])
}

/// Returns the numbers of comparisons and of `if` and `else if`. A part that is written once for two places counts once.
fn size(subtree: Subtree<'_>) -> (usize, usize) {
    let (mut tests, mut conditions, parts) = match Top::new(subtree) {
        Top::Answer(_) => return (0, 0),
        Top::Side(_, below, above) => (1, 1, vec![below, above]),
        Top::Corner(_, _, then, otherwise) => (2, 1, vec![then, otherwise]),
        Top::Quadrants(_, _, [nw, ne, sw, se]) => match (nw == se, ne == sw) {
            (true, true) => (2, 1, vec![nw, ne]),
            (true, false) => (3, 2, vec![nw, ne, sw]),
            (false, true) => (3, 2, vec![nw, ne, se]),
            (false, false) => (3, 3, vec![nw, ne, sw, se]),
        },
    };
    for part in parts {
        let part = size(part);
        tests += part.0;
        conditions += part.1;
    }
    (tests, conditions)
}

fn is_smaller(one: Subtree<'_>, other: Subtree<'_>) -> bool {
    let (one, other) = (size(one), size(other));
    one.0 < other.0 && one.1 <= other.1
}

fn part(subtree: Subtree<'_>, boxes: &[Samples]) -> Nodes {
    let of = |subtree: Subtree<'_>, places: &[&[Bound]]| {
        let mut within = Vec::new();
        for bounds in places {
            within.append(&mut inside(boxes, bounds));
        }
        part(subtree, &within)
    };
    let tree = match Top::new(subtree) {
        Top::Answer(_) => return Nodes(subtree.to_vec()),
        _ if boxes.is_empty() => return Nodes(subtree.to_vec()),
        Top::Side(low, below, above) => joined(low, of(below, &[&[low]]), of(above, &[&[low.other()]])),
        Top::Corner(side, second, then, otherwise) => {
            let then = of(then, &[&[side, second]]);
            let otherwise = of(otherwise, &[&[side, second.other()], &[side.other()]]);
            joined(side, joined(second, then, otherwise.clone()), otherwise)
        }
        Top::Quadrants(first, second, [nw, ne, sw, se]) => {
            let pair = |one: Subtree<'_>, other: Subtree<'_>, of_one: [Bound; 2], of_other: [Bound; 2]| {
                if one == other {
                    let both = of(one, &[&of_one, &of_other]);
                    (both.clone(), both)
                } else {
                    (of(one, &[&of_one]), of(other, &[&of_other]))
                }
            };
            let (nw, se) = pair(nw, se, [first, second], [first.other(), second.other()]);
            let (ne, sw) = pair(ne, sw, [first, second.other()], [first.other(), second]);
            joined(first, joined(second, nw, ne), joined(second, sw, se))
        }
    };
    // Parts that are smaller individually may need more conditions together.
    let tree = if size(&tree.0).1 > size(subtree).1 { Nodes(subtree.to_vec()) } else { tree };
    let smaller =
        moved(&tree.0, boxes).or_else(|| turned(&tree.0, boxes)).or_else(|| moved_below(&tree.0, boxes));
    smaller.map_or(tree, |smaller| part(&smaller.0, boxes))
}

/// Moves the border of the top test to where the tree has the fewest tests. Returns `None` if no border saves a test.
fn moved(subtree: Subtree<'_>, boxes: &[Samples]) -> Option<Nodes> {
    let (Bound { axis, at, .. }, below, above) = split(subtree)?;
    let around = bounding(boxes)?;
    let mut borders = vec![around[axis].0, around[axis].1];
    for node in &subtree[1..] {
        if let Node::Test { axis: other, at, .. } = *node
            && other == axis
        {
            borders.push(at);
        }
    }
    let mut best: Option<Nodes> = None;
    // Where the border cannot move to, it cannot move beyond.
    let (mut lowest, mut highest) = (0, usize::MAX);
    // The nearest border first, and of two the lower one: the first of equally good borders is kept.
    while let Some(place) = nearest(&borders, at) {
        let border = borders.swap_remove(place);
        if border == at || border < lowest || border > highest {
            continue;
        }
        let (answers, other) = if border < at { (above, below) } else { (below, above) };
        let strip = clipped(boxes, axis, at.min(border), at.max(border));
        if strip.iter().any(|within| !replaces(answers, other, within, 0, 0)) {
            if border < at {
                lowest = border + 1;
            } else {
                highest = border - 1;
            }
            continue;
        }
        let mut nodes = subtree.to_vec();
        if let Node::Test { at, .. } = &mut nodes[0] {
            *at = border;
        }
        let tree = simplified(&nodes, &mut around.clone());
        let is_better = best.as_ref().is_none_or(|best| size(&tree.0).0 < size(&best.0).0);
        if is_better && is_smaller(&tree.0, subtree) {
            best = Some(tree);
        }
    }
    best
}

/// Returns the place of the border that is nearest to a sample, of two the lower one.
fn nearest(borders: &[usize], at: usize) -> Option<usize> {
    let mut nearest: Option<usize> = None;
    for (place, border) in borders.iter().enumerate() {
        let distance = (border.abs_diff(at), *border);
        if nearest.is_none_or(|other| distance < (borders[other].abs_diff(at), borders[other])) {
            nearest = Some(place);
        }
    }
    nearest
}

/// Moves the border of a test below the top one, if parts that are written once for two places have kept it in place.
fn moved_below(subtree: Subtree<'_>, boxes: &[Samples]) -> Option<Nodes> {
    let (low, below, above) = split(subtree)?;
    let side = |side: Subtree<'_>, bound: Bound| {
        moved(side, &inside(boxes, &[bound])).unwrap_or_else(|| Nodes(side.to_vec()))
    };
    let tree = joined(low, side(below, low), side(above, low.other()));
    is_smaller(&tree.0, subtree).then_some(tree)
}

/// Exchanges the top test and the next one, if the next one is the same on both sides and one of its sides answers for both.
fn turned(subtree: Subtree<'_>, boxes: &[Samples]) -> Option<Nodes> {
    let Top::Quadrants(first, second, [nw, ne, sw, se]) = Top::new(subtree) else { return None };
    let one_for_both = |low: Subtree<'_>, high: Subtree<'_>, at: Bound| {
        let answers = |one: Subtree<'_>, other: Subtree<'_>, place: Bound| {
            inside(boxes, &[at, place]).iter().all(|within| replaces(one, other, within, 1, 2))
        };
        if answers(low, high, first.other()) {
            Some(Nodes(low.to_vec()))
        } else {
            answers(high, low, first).then(|| Nodes(high.to_vec()))
        }
    };
    let (west, east) = (one_for_both(nw, sw, second), one_for_both(ne, se, second.other()));
    if west.is_none() && east.is_none() {
        return None;
    }
    let test = |low: Subtree<'_>, high: Subtree<'_>| joined(first, Nodes(low.to_vec()), Nodes(high.to_vec()));
    let (west, east) = (west.unwrap_or_else(|| test(nw, sw)), east.unwrap_or_else(|| test(ne, se)));
    let turned = joined(second, west, east);
    is_smaller(&turned.0, subtree).then_some(turned)
}

/// Returns whether a part answers like another one for all these samples, with no more tests for any of them. So many tests are evaluated
/// before each part.
fn replaces(one: Subtree<'_>, other: Subtree<'_>, within: &Samples, tests: usize, of_other: usize) -> bool {
    let (cut, sides, tests, of_other) = match (split(one), split(other)) {
        (None, None) => return one == other && tests <= of_other,
        (Some((cut, below, above)), _) => (cut, [(below, other), (above, other)], tests + 1, of_other),
        (None, Some((cut, below, above))) => (cut, [(one, below), (one, above)], tests, of_other + 1),
    };
    let boxes = std::slice::from_ref(within);
    let holds = |(one, other): (Subtree<'_>, Subtree<'_>), bound: Bound| {
        inside(boxes, &[bound]).iter().all(|within| replaces(one, other, within, tests, of_other))
    };
    holds(sides[0], cut) && holds(sides[1], cut.other())
}

/// Returns a test of one side of a cut.
fn joined(Bound { axis, at, below }: Bound, holds: Nodes, fails: Nodes) -> Nodes {
    if below { Nodes::test(axis, at, holds, fails) } else { Nodes::test(axis, at, fails, holds) }
}

/// Returns the parts of boxes inside of bounds.
fn inside(boxes: &[Samples], bounds: &[Bound]) -> Vec<Samples> {
    let mut parts = boxes.to_vec();
    for bound in bounds {
        let (start, end) = if bound.below { (0, bound.at) } else { (bound.at, usize::MAX) };
        parts = clipped(&parts, bound.axis, start, end);
    }
    parts
}

/// Returns the parts of boxes in a range of one axis.
fn clipped(boxes: &[Samples], axis: usize, start: usize, end: usize) -> Vec<Samples> {
    let mut parts = Vec::new();
    for one in boxes {
        let clip = (one[axis].0.max(start), one[axis].1.min(end));
        if clip.0 < clip.1 {
            let mut part = one.clone();
            part[axis] = clip;
            parts.push(part);
        }
    }
    parts
}

/// Returns the smallest box around some boxes; `None` around none.
fn bounding(boxes: &[Samples]) -> Option<Samples> {
    let mut around = boxes.first()?.clone();
    for one in boxes {
        for (around, one) in around.iter_mut().zip(one) {
            *around = (around.0.min(one.0), around.1.max(one.1));
        }
    }
    Some(around)
}
