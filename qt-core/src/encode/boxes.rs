//! Boxes of samples: what is decided in them, and the trees that are made of them.

use std::ops::Range;

use super::Input;
use crate::domain::MethodIndex;
use crate::tree::FlatTree;

/// Visits the cells of a box.
pub(super) fn each_cell(lens: &[usize], samples: &[Range<usize>], visit: &mut impl FnMut(usize)) {
    fn from(first: usize, lens: &[usize], samples: &[Range<usize>], visit: &mut impl FnMut(usize)) {
        let ([len, lens @ ..], [range, samples @ ..]) = (lens, samples) else { return visit(first) };
        range.clone().for_each(|sample| from(first * len + sample, lens, samples, visit));
    }
    from(0, lens, samples, visit);
}

/// The cells of a box.
pub(super) fn cells(input: &Input<'_>, samples: &[Range<usize>]) -> Vec<usize> {
    let mut cells = Vec::new();
    each_cell(input.shape().lens(), samples, &mut |cell| cells.push(cell));
    cells
}

/// The decision of cells that have one in common: of their common methods the one of the least mean cost, of equal ones
/// the first. None where nothing was measured.
///
/// # Panics
///
/// If there is no method that is right in all of the measured cells and may run in all of the others.
pub(super) fn common_decision(input: &Input<'_>, cells: &[usize]) -> Option<MethodIndex> {
    let mut measured = cells.iter().map(|&cell| input.allowed(cell)).filter(|allowed| !allowed.is_empty());
    let mut common = measured.next()?.to_vec();
    measured.for_each(|allowed| common.retain(|method| allowed.binary_search(method).is_ok()));
    if input.is_restricted() {
        common.retain(|&method| cells.iter().all(|&cell| input.may_run(method, cell)));
    }
    Some(cheapest_of(input, &common, cells))
}

/// The method of the least mean cost over cells, the first on a tie; the first of all where costs are not known.
pub(super) fn cheapest_of(input: &Input<'_>, methods: &[MethodIndex], cells: &[usize]) -> MethodIndex {
    let (Some(costs), [_, _, ..]) = (input.costs(), methods) else { return methods[0] };
    let measured: Vec<usize> =
        cells.iter().copied().filter(|&cell| !input.allowed(cell).is_empty()).collect();
    let sum = |method: MethodIndex| {
        let cost =
            |&cell: &usize| costs.get(cell, method).map_or(f64::INFINITY, |cost| input.weight(cell) * cost);
        measured.iter().map(cost).sum::<f64>()
    };
    let sums = methods.iter().map(|&method| (method, sum(method)));
    sums.min_by(|(_, one), (_, other)| one.total_cmp(other)).expect("a method").0
}

/// A tree that tells parts of an axis apart by balanced cuts; `starts` holds the first sample of every part.
pub(super) fn balanced(axis: usize, starts: &[usize], parts: &[FlatTree]) -> FlatTree {
    if let [part] = parts {
        return part.clone();
    }
    let half = parts.len() / 2;
    let below = balanced(axis, &starts[..half], &parts[..half]);
    let from = balanced(axis, &starts[half..], &parts[half..]);
    FlatTree::test(axis, starts[half], below, from)
}
