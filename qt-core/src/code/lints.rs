//! Lints that a decision function may violate.

use super::quartered::{QuadrantBranch, Quartered};
use super::scope::Scope;
use crate::tree::{Block, Bound, DecisionTree};
use proc_macro2::TokenStream;
use quote::quote;

/// The number of conditions beyond which a function may have more than a hundred lines.
const LONG: u64 = 20;

pub(super) fn of_branches(tree: &DecisionTree, scope: &Scope<'_>) -> Vec<&'static str> {
    let mut lints = of_conditions(tree.block().conditions(), tree.root().cuts(), scope);
    if has_equal_neighbours(tree.block()) {
        lints.push("clippy::if_same_then_else");
    }
    lints
}

pub(super) fn of_quadrants(tree: &DecisionTree, block: &Quartered, scope: &Scope<'_>) -> Vec<&'static str> {
    let cuts = block.cuts();
    let mut lints = of_conditions(block.leaves() as u64, cuts.iter().copied(), scope);
    if cuts.iter().any(|&(axis, at)| tree.threshold(axis, at) == u64::MAX) {
        lints.push("clippy::absurd_extreme_comparisons");
    }
    if has_shared_bounds(block) {
        lints.push("clippy::nonminimal_bool");
    }
    lints
}

/// Returns the lints that so many conditions with these cuts violate, whatever their form.
fn of_conditions(
    conditions: u64,
    mut cuts: impl Iterator<Item = (usize, usize)>,
    scope: &Scope<'_>,
) -> Vec<&'static str> {
    let mut lints = Vec::new();
    if conditions > LONG {
        lints.extend(["clippy::cognitive_complexity", "clippy::too_many_lines"]);
    }
    if cuts.any(|(axis, _)| scope.parameters[axis].is_bool()) {
        lints.push("clippy::if_not_else");
    }
    lints
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
pub(super) fn allow(given: Vec<&'static str>) -> TokenStream {
    let mut lints = Vec::new();
    for lint in given {
        if !lints.contains(&lint) {
            lints.push(lint);
        }
    }
    if lints.is_empty() {
        return TokenStream::new();
    }
    let lints: Vec<TokenStream> =
        lints.into_iter().map(|lint| lint.parse().expect("lints are paths")).collect();
    quote!(#[allow(#(#lints),*)])
}

/// Returns whether two consecutive arms have the same body, which happens if their conditions are not adjacent on the grid.
fn has_equal_neighbours(block: &Block) -> bool {
    let Block::Branches { arms, otherwise } = block else { return false };
    arms.windows(2).any(|pair| pair[0].then == pair[1].then)
        || arms.last().is_some_and(|last| last.then == **otherwise)
        || arms.iter().any(|arm| has_equal_neighbours(&arm.then))
        || has_equal_neighbours(otherwise)
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
