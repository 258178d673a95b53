//! A budget for the mean: it is kept by a limit for every cell, the largest of some that keeps it.

use super::exact;
use crate::encode::{Budget, Encoded, Input};
use crate::problem::Problem;
use crate::statistics::Quality;

/// How often the limit is doubled at most, and then halved between one that keeps the budget and one that does not.
const DOUBLINGS: i32 = 6;
const HALVINGS: i32 = 3;

/// Returns the smallest tree found whose mean penalty is within the budget.
pub(super) fn encode(input: &Input<'_>, mean: f64) -> Result<Encoded, Problem> {
    // If no cell is above the mean, the mean is not either.
    let (mut best, mut kept, mut exceeded) = (limited(input, mean)?, mean, None);
    for _ in 0..DOUBLINGS + HALVINGS {
        let limit = exceeded.map_or(2.0 * kept, |exceeded| f64::midpoint(kept, exceeded));
        if mean == 0.0 || best.leaves == 1 || exceeded.is_none() && limit > mean * 2_f64.powi(DOUBLINGS) {
            break;
        }
        let tree = limited(input, limit)?;
        if is_within(&tree, input, mean) {
            kept = limit;
            best = if tree.leaves < best.leaves { tree } else { best };
        } else {
            exceeded = Some(limit);
        }
    }
    Ok(best)
}

/// Returns the tree in which no cell has a penalty above this one, in per cent.
fn limited(input: &Input<'_>, limit: f64) -> Result<Encoded, Problem> {
    let max = Some(input.budget.max.map_or(limit, |max| max.min(limit)));
    let budget = Budget { max, mean: None, ..input.budget };
    let encoded = exact(&Input::new(input.map, &budget, input.search_limit)?)?;
    // A smaller tree may exceed the limit of a cell and keep the budget.
    Ok(Encoded { lower_bound: None, ..encoded })
}

fn is_within(tree: &Encoded, input: &Input<'_>, mean: f64) -> bool {
    let decisions = tree.nodes.cells(input.shape.lens());
    let penalty = Quality::from_decisions(&decisions, input.map).penalty;
    penalty.is_some_and(|penalty| penalty.unpriced == 0 && penalty.mean <= mean)
}
