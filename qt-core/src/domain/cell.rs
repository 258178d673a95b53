//! The cells of a grid.

use super::{Axis, Domain};
use crate::shape::Shape;

impl Domain {
    /// Returns the size on each axis at a row-major cell of the grid. The size of a label is its position.
    pub fn sizes(&self, cell: usize) -> Vec<u64> {
        let samples = Shape::new(self.shape()).samples(cell);
        let size =
            |(axis, sample): (&Axis, usize)| axis.values().map_or(sample as u64, |values| values[sample]);
        self.axes.iter().zip(samples).map(size).collect()
    }

    /// Returns the sizes and labels at a cell as text: `comm_size=64 order=sorted`.
    pub fn place(&self, cell: usize) -> String {
        let samples = self.axes.iter().zip(Shape::new(self.shape()).samples(cell));
        samples
            .map(|(axis, sample)| format!("{}={}", axis.name, axis.sample(sample)))
            .collect::<Vec<_>>()
            .join(" ")
    }
}
