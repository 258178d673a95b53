//! The decisions of a tree at the cells of its grid.

use std::ops::Range;

use super::FlatTree;
use crate::domain::MethodIndex;
use crate::shape::Shape;

impl FlatTree {
    /// Returns the decision at every cell, row-major.
    pub(crate) fn cells(&self, shape: &[usize]) -> Vec<Option<MethodIndex>> {
        let shape = Shape::new(shape.to_vec());
        let (mut cells, strides) = (vec![None; shape.cells()], shape.strides());
        let mut samples: Vec<Range<usize>> = shape.lens().iter().map(|&len| 0..len).collect();
        self.root().each_leaf(&mut samples, &mut |samples, method| {
            paint(&strides, samples, method, &mut cells);
        });
        cells
    }
}

fn paint(
    strides: &[usize],
    samples: &[Range<usize>],
    method: Option<MethodIndex>,
    cells: &mut [Option<MethodIndex>],
) {
    match (strides, samples) {
        ([_], [last]) => cells[last.clone()].fill(method),
        ([stride, strides @ ..], [range, samples @ ..]) => {
            for sample in range.clone() {
                paint(strides, samples, method, &mut cells[sample * stride..]);
            }
        }
        _ => {}
    }
}
