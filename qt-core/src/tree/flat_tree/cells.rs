//! The decisions of a tree at the cells of its grid.

use super::{FlatTree, Node, Subtree};
use crate::domain::MethodIndex;
use crate::shape::Shape;

impl FlatTree {
    /// Returns the decision at every cell, row-major.
    pub(crate) fn cells(&self, shape: &[usize]) -> Vec<Option<MethodIndex>> {
        let shape = Shape::new(shape.to_vec());
        let mut cells = vec![None; shape.cells()];
        let mut ranges: Vec<(usize, usize)> = shape.lens().iter().map(|&len| (0, len)).collect();
        self.root().paint(&shape.strides(), &mut ranges, &mut cells);
        cells
    }
}

impl Subtree<'_> {
    fn paint(self, strides: &[usize], ranges: &mut [(usize, usize)], cells: &mut [Option<MethodIndex>]) {
        match self.node() {
            Node::Leaf(None) => {}
            Node::Leaf(method) => paint_box(strides, ranges, method, cells),
            Node::Test { axis, at, below, at_or_above } => {
                let (lowest, end) = ranges[axis];
                ranges[axis] = (lowest, at.min(end));
                below.paint(strides, ranges, cells);
                ranges[axis] = (at.max(lowest), end);
                at_or_above.paint(strides, ranges, cells);
                ranges[axis] = (lowest, end);
            }
        }
    }
}

fn paint_box(
    strides: &[usize],
    ranges: &[(usize, usize)],
    method: Option<MethodIndex>,
    cells: &mut [Option<MethodIndex>],
) {
    let ([stride, strides @ ..], [(lowest, end), ranges @ ..]) = (strides, ranges) else {
        cells[0] = method;
        return;
    };
    if strides.is_empty() {
        cells[*lowest..*end].fill(method);
        return;
    }
    for sample in *lowest..*end {
        paint_box(strides, ranges, method, &mut cells[sample * stride..]);
    }
}
