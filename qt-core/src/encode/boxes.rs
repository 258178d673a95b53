//! Boxes of samples: their decisions, and the trees made from them.

use std::ops::Range;

use super::Input;
use crate::domain::MethodIndex;
use crate::fixed_point::smallest;
use crate::tree::FlatTree;

/// Returns the row-major numbers of the cells of a box in a grid.
pub(super) fn cells(lens: &[usize], samples: &[Range<usize>]) -> Vec<usize> {
    lens.iter().zip(samples).fold(vec![0], |cells, (len, range)| {
        let along = |cell: usize| range.clone().map(move |sample| cell * len + sample);
        cells.into_iter().flat_map(along).collect()
    })
}

/// Visits cells, each with the number of its copies, until a function returns false, and returns whether it never did.
pub(super) type Visit<'v> = &'v dyn Fn(&mut dyn FnMut(usize, f64) -> bool) -> bool;

/// Returns the decision for cells that share an acceptable method: of the shared methods, the one with the lowest mean cost, as
/// [`cheapest_of`] finds it. `None` if nothing was measured. Panics if no method is acceptable in all measured cells and may run in all
/// others.
pub(super) fn common_decision(input: &Input<'_>, samples: &[Range<usize>]) -> Option<MethodIndex> {
    let cells = cells(input.shape.lens(), samples);
    let visit: Visit<'_> = &|take| cells.iter().all(|&cell| take(cell, 1.0));
    Some(cheapest_of(input, &common_methods(input, visit)?, visit))
}

/// Returns the methods that are acceptable in all measured cells and may run in all others; `None` if nothing was measured.
pub(super) fn common_methods(input: &Input<'_>, visit: Visit<'_>) -> Option<Vec<MethodIndex>> {
    let mut common: Option<Vec<MethodIndex>> = None;
    visit(&mut |cell, _| {
        let allowed = input.allowed(cell);
        if allowed.is_empty() {
            return true;
        }
        let common = common.get_or_insert_with(|| allowed.to_vec());
        common.retain(|method| allowed.binary_search(method).is_ok());
        !common.is_empty()
    });
    common.map(|common| running(input, common, visit))
}

/// Returns those of the methods that may run in all cells.
pub(super) fn running(
    input: &Input<'_>,
    mut methods: Vec<MethodIndex>,
    visit: Visit<'_>,
) -> Vec<MethodIndex> {
    if input.is_restricted() {
        visit(&mut |cell, _| {
            methods.retain(|&method| input.may_run(method, cell));
            !methods.is_empty()
        });
    }
    methods
}

/// Returns the method with the lowest mean cost over cells; on a tie, or if there are no costs, the baseline if it is one of the
/// methods, or else the first.
pub(super) fn cheapest_of(input: &Input<'_>, methods: &[MethodIndex], visit: Visit<'_>) -> MethodIndex {
    let tied = match (input.map.costs(), methods) {
        (Some(costs), [_, _, ..]) => {
            of_least_sum(input, methods, visit, 0.0, &|cell, method| costs.get(cell, method))
        }
        _ => methods.to_vec(),
    };
    // A baseline needs no rule in a tuning file.
    let baseline = input.map.domain().baseline().filter(|baseline| tied.contains(baseline));
    baseline.unwrap_or_else(|| *tied.first().expect("a common method"))
}

/// Returns the methods with the lowest sum of a term over the measured cells, weighted by their calls; the sum of a term that is `None` is
/// infinite. `finest` is the smallest difference of a term that counts.
pub(super) fn of_least_sum(
    input: &Input<'_>,
    methods: &[MethodIndex],
    visit: Visit<'_>,
    finest: f64,
    term: &dyn Fn(usize, MethodIndex) -> Option<f64>,
) -> Vec<MethodIndex> {
    let (mut sums, mut calls, mut cells) = (vec![0.0; methods.len()], 0.0, 0.0);
    let each_measured = |take: &mut dyn FnMut(usize, f64)| {
        visit(&mut |cell, copies| {
            if !input.allowed(cell).is_empty() {
                take(cell, copies);
            }
            true
        });
    };
    each_measured(&mut |cell, copies| {
        let weight = copies * input.map.weight(cell);
        (calls, cells) = (calls + weight, cells + 1.0);
        for (sum, &method) in sums.iter_mut().zip(methods) {
            *sum += term(cell, method).map_or(f64::INFINITY, |term| weight * term);
        }
    });
    let finest = if calls > 0.0 { finest * calls / cells } else { finest };
    let least = smallest(&sums, finest, |place, units| {
        let mut sum = 0.0;
        each_measured(&mut |cell, copies| {
            let term = term(cell, methods[place]).map_or(f64::INFINITY, |term| input.map.weight(cell) * term);
            sum += copies * units.count(term);
        });
        sum
    });
    least.into_iter().map(|place| methods[place]).collect()
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
