//! Row-major arithmetic over one to three axes.

/// The number of samples along each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape(Vec<usize>);

impl Shape {
    pub(crate) fn new(lens: Vec<usize>) -> Self {
        Self(lens)
    }

    pub(crate) fn lens(&self) -> &[usize] {
        &self.0
    }

    pub(crate) fn cells(&self) -> usize {
        self.0.iter().product()
    }

    /// Returns the distance between two cells that are neighbours on each axis.
    pub(crate) fn strides(&self) -> Vec<usize> {
        (0..self.0.len()).map(|axis| self.0[axis + 1..].iter().product()).collect()
    }

    pub(crate) fn offset(&self, samples: &[usize]) -> usize {
        samples.iter().zip(&self.0).fold(0, |offset, (sample, len)| offset * len + sample)
    }

    /// Returns the samples of the cell at `offset`.
    pub(crate) fn samples(&self, offset: usize) -> Vec<usize> {
        self.strides().iter().zip(&self.0).map(|(stride, len)| offset / stride % len).collect()
    }
}
