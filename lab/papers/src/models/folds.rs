//! What a way of deciding learns from, and where its choices are priced.

use qtdec_core::DecisionMap;
use qtdec_study::study::unmeasured::MIN_SIZES;

use super::cases::Case;

/// A part of a map that decides, and the points where its decisions are priced.
pub(super) struct Fold {
    pub(super) from: DecisionMap,
    /// The cells of the case's map, or of its second run.
    pub(super) cells: Vec<usize>,
    /// Whether the second run has the prices.
    pub(super) is_again: bool,
}

impl Fold {
    /// Returns the map with the prices.
    pub(super) fn priced<'c>(&self, case: &'c Case) -> &'c DecisionMap {
        match &case.again {
            Some(again) if self.is_again => again,
            _ => &case.map,
        }
    }
}

/// Returns the parts of a case: two for each axis with enough sizes, and the whole map where there is a second run.
pub(super) fn of(case: &Case) -> Vec<Fold> {
    let map = &case.map;
    let mut folds = Vec::new();
    for (axis, of) in map.domain().axes().iter().enumerate() {
        let Some(sizes) = of.values().filter(|sizes| sizes.len() >= MIN_SIZES) else { continue };
        for parity in 0..2 {
            let kept: Vec<usize> = (0..sizes.len()).filter(|at| at % 2 == parity).collect();
            let from = map.at_samples(axis, &kept).expect("the samples increase");
            let cells = (0..map.cells().len()).filter(|&cell| place(map, axis, cell) % 2 != parity).collect();
            folds.push(Fold { from, cells, is_again: false });
        }
    }
    if let Some(again) = &case.again {
        let cells = (0..again.cells().len()).collect();
        folds.push(Fold { from: map.clone(), cells, is_again: true });
    }
    folds
}

/// Returns the position of a cell among the samples of an axis.
fn place(map: &DecisionMap, axis: usize, cell: usize) -> usize {
    let shape = map.domain().shape();
    let stride: usize = shape[axis + 1..].iter().product();
    cell / stride % shape[axis]
}
