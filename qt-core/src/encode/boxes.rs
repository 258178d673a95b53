//! Boxes of samples: their decisions, and the trees made from them.

use std::ops::Range;

use super::Input;
use crate::domain::MethodIndex;
use crate::fixed_point::{Units, smallest};
use crate::tree::FlatTree;

pub(super) fn each_cell(lens: &[usize], samples: &[Range<usize>], visit: &mut impl FnMut(usize)) {
    fn from(first: usize, lens: &[usize], samples: &[Range<usize>], visit: &mut impl FnMut(usize)) {
        let ([len, lens @ ..], [range, samples @ ..]) = (lens, samples) else { return visit(first) };
        range.clone().for_each(|sample| from(first * len + sample, lens, samples, visit));
    }
    from(0, lens, samples, visit);
}

pub(super) fn cells(input: &Input<'_>, samples: &[Range<usize>]) -> Vec<usize> {
    let mut cells = Vec::new();
    each_cell(input.shape.lens(), samples, &mut |cell| cells.push(cell));
    cells
}

/// Returns the decision for cells that share an acceptable method: of the shared methods, the one with the lowest mean cost, as
/// [`cheapest_of`] finds it. `None` if nothing was measured.
///
/// # Panics
///
/// Panics if no method is acceptable in all measured cells and may run in all others.
pub(super) fn common_decision(input: &Input<'_>, cells: &[usize]) -> Option<MethodIndex> {
    let mut measured = cells.iter().map(|&cell| input.allowed(cell)).filter(|allowed| !allowed.is_empty());
    let mut common = measured.next()?.to_vec();
    measured.for_each(|allowed| common.retain(|method| allowed.binary_search(method).is_ok()));
    if input.is_restricted() {
        common.retain(|&method| cells.iter().all(|&cell| input.may_run(method, cell)));
    }
    Some(cheapest_of(input, &common, cells))
}

/// Returns the method with the lowest mean cost over cells; on a tie, or if there are no costs, the baseline if it is one of the
/// methods, or else the first.
pub(super) fn cheapest_of(input: &Input<'_>, methods: &[MethodIndex], cells: &[usize]) -> MethodIndex {
    if let [only] = *methods {
        return only;
    }
    let measured: Vec<usize> =
        cells.iter().copied().filter(|&cell| !input.allowed(cell).is_empty()).collect();
    let sum = |method: MethodIndex, count: &dyn Fn(f64) -> f64| {
        let Some(costs) = input.costs() else { return 0.0 };
        let cost = |&cell: &usize| Some(count(input.weight(cell) * costs.get(cell, method)?));
        measured.iter().map(|cell| cost(cell).unwrap_or(f64::INFINITY)).sum()
    };
    let sums: Vec<f64> = methods.iter().map(|&method| sum(method, &|cost| cost)).collect();
    let exact = |place: usize, units: Units| sum(methods[place], &|cost| units.count(cost));
    let cheapest = smallest(&sums, 0.0, exact);
    preferred(input, cheapest.into_iter().map(|place| methods[place])).expect("a method")
}

/// Returns the preferred one of tied methods: the baseline, which needs no rule in a tuning file, or else the first.
pub(super) fn preferred(
    input: &Input<'_>,
    mut tied: impl Iterator<Item = MethodIndex> + Clone,
) -> Option<MethodIndex> {
    let baseline = input.map.domain().baseline();
    tied.clone().find(|&method| Some(method) == baseline).or_else(|| tied.next())
}

/// Builds a tree that separates parts of an axis by balanced cuts; `starts` holds the first sample of every part.
pub(super) fn balanced(axis: usize, starts: &[usize], parts: &[FlatTree]) -> FlatTree {
    if let [part] = parts {
        return part.clone();
    }
    let half = parts.len() / 2;
    let below = balanced(axis, &starts[..half], &parts[..half]);
    let from = balanced(axis, &starts[half..], &parts[half..]);
    FlatTree::test(axis, starts[half], below, from)
}
