//! Lints that the quadrants of a quadtree may violate.

use crate::code::lints::LONG;
use crate::code::quartered::{QuadrantBranch, Quartered};
use crate::code::scope::Scope;
use crate::tree::{Bound, DecisionTree};

/// Returns the lints that the quadrants of a quadtree violate.
pub(super) fn of_quadrants(tree: &DecisionTree, block: &Quartered, scope: &Scope<'_>) -> Vec<&'static str> {
    let (mut lints, cuts) = (Vec::new(), block.cuts());
    if block.leaves() as u64 > LONG {
        lints.extend(["clippy::cognitive_complexity", "clippy::too_many_lines"]);
    }
    if cuts.iter().any(|&(axis, _)| scope.parameters[axis].is_bool()) {
        lints.push("clippy::if_not_else");
    }
    if cuts.iter().any(|&(axis, at)| tree.threshold(axis, at) == u64::MAX) {
        lints.push("clippy::absurd_extreme_comparisons");
    }
    if has_equal_branches(block) {
        lints.push("clippy::if_same_then_else");
    }
    if has_shared_bounds(block) {
        lints.push("clippy::nonminimal_bool");
    }
    lints
}

/// Returns whether two consecutive branches have the same blocks, which happens if they do not depend on the axis between them.
fn has_equal_branches(block: &Quartered) -> bool {
    let Quartered::Divided(branches) = block else { return false };
    branches.windows(2).any(|pair| pair[0].then == pair[1].then)
        || branches.iter().any(|QuadrantBranch { then, .. }| has_equal_branches(then))
}

/// Returns whether two alternatives of a condition share a bound, which happens only in octants.
fn has_shared_bounds(block: &Quartered) -> bool {
    let Quartered::Divided(branches) = block else { return false };
    branches.iter().any(|QuadrantBranch { when, then, .. }| {
        let bounds: Vec<&Bound> = when.iter().flatten().collect();
        let repeats = bounds.iter().enumerate().any(|(place, bound)| bounds[..place].contains(bound));
        repeats || has_shared_bounds(then)
    })
}
