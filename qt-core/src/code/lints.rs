//! Lints that a decision function may violate.

use std::collections::HashSet;

use super::quartered::{QuadrantBranch, Quartered};
use super::scope::Scope;
use crate::rust;
use crate::tokens::{Code, Span, fill};
use crate::tree::{Block, Bound, DecisionTree};

/// The number of conditions beyond which a function may have more than a hundred lines.
const LONG: u64 = 20;

/// Returns the lints that branches violate.
pub(super) fn of_branches(tree: &DecisionTree, scope: &Scope<'_>) -> Vec<&'static str> {
    let mut lints = Vec::new();
    if tree.block().conditions() > LONG {
        lints.extend(["clippy::cognitive_complexity", "clippy::too_many_lines"]);
    }
    if tree.root().cuts().any(|(axis, _)| scope.parameters[axis].is_bool()) {
        lints.push("clippy::if_not_else");
    }
    if has_equal_neighbours(tree.block()) {
        lints.push("clippy::if_same_then_else");
    }
    lints
}

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

/// Returns the lints that a function violates, including those of its layout.
pub(super) fn of_tree(tree: &DecisionTree, of_layout: Vec<&'static str>) -> Vec<&'static str> {
    let mut lints = Vec::new();
    if tree.root().cuts().any(|(axis, at)| tree.threshold(axis, at) == u64::MAX) {
        lints.push("clippy::absurd_extreme_comparisons");
    }
    lints.extend(of_layout);
    lints
}

/// Returns an attribute that allows these lints; empty if there are none.
pub(super) fn allow(mut lints: Vec<&'static str>) -> Code {
    let mut known = HashSet::new();
    lints.retain(|lint| known.insert(*lint));
    if lints.is_empty() {
        return Code::new();
    }
    let lints: Vec<Code> = lints.into_iter().map(|lint| fill(lint, Span::CALL_SITE, &[])).collect();
    rust!("#[allow(#(#lints),*)]"; lints)
}

/// Returns whether two consecutive arms have the same body, which happens if their conditions are not adjacent on the grid.
fn has_equal_neighbours(block: &Block) -> bool {
    let Block::Branches { arms, otherwise } = block else { return false };
    let blocks: Vec<&Block> = arms.iter().map(|arm| &arm.then).chain([&**otherwise]).collect();
    blocks.windows(2).any(|pair| pair[0] == pair[1]) || blocks.into_iter().any(has_equal_neighbours)
}
