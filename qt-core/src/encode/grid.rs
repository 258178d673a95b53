//! A grid without the slices that no optimal tree separates.

use std::ops::Range;

use super::boxes::cells;
use crate::shape::Shape;

/// A grid of cells, some of which represent several samples.
#[derive(Clone, Debug)]
pub(super) struct Grid<C> {
    /// On each axis, the first sample of every remaining slice.
    starts: Vec<Vec<usize>>,
    /// On each axis, the number of samples.
    samples: Vec<usize>,
    cells: Vec<C>,
}

impl<C: Copy> Grid<C> {
    /// Creates the measured grid, with a slice for every sample.
    pub(super) fn new(lens: &[usize], cells: Vec<C>) -> Self {
        Self { starts: lens.iter().map(|&len| (0..len).collect()).collect(), samples: lens.to_vec(), cells }
    }

    pub(super) fn lens(&self) -> Vec<usize> {
        self.starts.iter().map(Vec::len).collect()
    }

    pub(super) fn cells(&self) -> &[C] {
        &self.cells
    }

    /// Returns the sample of a cut before a slice; the number of samples for the slice after the last.
    pub(super) fn sample(&self, axis: usize, slice: usize) -> usize {
        self.starts[axis].get(slice).copied().unwrap_or(self.samples[axis])
    }

    /// Returns the box of samples that a box of slices represents.
    pub(super) fn samples(&self, slices: &[Range<usize>]) -> Vec<Range<usize>> {
        let axes = slices.iter().enumerate();
        axes.map(|(axis, range)| self.sample(axis, range.start)..self.sample(axis, range.end)).collect()
    }

    /// Returns the number of original cells that each remaining cell represents.
    pub(super) fn copies(&self) -> Vec<usize> {
        let lens = self.lens();
        (0..lens.len()).fold(vec![1], |copies, axis| {
            let copies = copies.iter();
            let samples = |slice: usize| self.sample(axis, slice + 1) - self.sample(axis, slice);
            copies.flat_map(|&copies| (0..lens[axis]).map(move |slice| copies * samples(slice))).collect()
        })
    }

    /// Returns a box of slices as a separate grid, whose cuts are at the same samples.
    pub(super) fn part(&self, slices: &[Range<usize>]) -> Self {
        let axes = slices.iter().enumerate();
        let starts = axes.clone().map(|(axis, range)| self.starts[axis][range.clone()].to_vec()).collect();
        let samples = axes.map(|(axis, range)| self.sample(axis, range.end)).collect();
        let cells = cells(&self.lens(), slices).into_iter().map(|cell| self.cells[cell]).collect();
        Self { starts, samples, cells }
    }

    /// Merges neighbouring slices until no two can be merged. `merge` returns the slice that represents both, if there is one.
    pub(super) fn merged(mut self, mut merge: impl FnMut(&[C], &[C]) -> Option<Vec<C>>) -> Self {
        loop {
            let before = self.cells.len();
            for axis in 0..self.starts.len() {
                self.merge_along(axis, &mut merge);
            }
            if self.cells.len() == before {
                return self;
            }
        }
    }

    fn merge_along(&mut self, axis: usize, merge: &mut impl FnMut(&[C], &[C]) -> Option<Vec<C>>) {
        let lens = self.lens();
        let slices = (0..lens[axis]).map(|slice| (self.starts[axis][slice], self.slice(axis, slice)));
        let mut kept: Vec<(usize, Vec<C>)> = Vec::with_capacity(lens[axis]);
        for (mut start, mut cells) in slices {
            // The merged slice may be mergeable with the one before it.
            while let Some((before, last)) = kept.last() {
                let Some(both) = merge(last, &cells) else { break };
                (start, cells) = (*before, both);
                kept.pop();
            }
            kept.push((start, cells));
        }
        let stride: usize = lens[axis + 1..].iter().product();
        let blocks = (0..lens[..axis].iter().product()).flat_map(|block| {
            kept.iter().flat_map(move |(_, slice)| slice[block * stride..][..stride].iter().copied())
        });
        self.cells = blocks.collect();
        self.starts[axis] = kept.into_iter().map(|(start, _)| start).collect();
    }

    /// Returns the cells of one slice across an axis, row-major over the other axes.
    fn slice(&self, axis: usize, slice: usize) -> Vec<C> {
        let lens = self.lens();
        let stride = Shape::new(lens.clone()).strides()[axis];
        let blocks = self.cells.chunks(stride * lens[axis]);
        blocks.flat_map(|block| block[slice * stride..][..stride].iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_slices_are_merged_on_every_axis() {
        let cells = vec![
            1, 1, 2, //
            1, 1, 2, //
            3, 3, 2,
        ];
        let grid = Grid::new(&[3, 3], cells).merged(|one, other| (one == other).then(|| one.to_vec()));
        assert_eq!(grid.lens(), [2, 2]);
        assert_eq!(grid.cells(), [1, 2, 3, 2]);
        assert_eq!(grid.samples(&[0..1, 1..2]), [0..2, 2..3]);
        assert_eq!(grid.copies(), [4, 2, 2, 1]);
    }

    #[test]
    fn a_part_keeps_its_samples() {
        let grid = Grid::new(&[2, 4], vec![1, 1, 2, 3, 1, 1, 4, 5]);
        let part = grid.merged(|one, other| (one == other).then(|| one.to_vec())).part(&[1..2, 0..2]);
        assert_eq!((part.lens(), part.cells()), (vec![1, 2], &[1, 4][..]));
        assert_eq!(part.samples(&[0..1, 0..1]), [1..2, 0..2]);
        assert_eq!(part.samples(&[0..1, 1..2]), [1..2, 2..3]);
    }

    #[test]
    fn what_was_merged_may_be_merged_again() {
        // The rows can be merged only after the columns.
        let cells = vec![
            0, 2, //
            1, 1,
        ];
        let grid = Grid::new(&[2, 2], cells).merged(|one, other| {
            let below = one.iter().zip(other).all(|(one, other)| one <= other);
            let above = one.iter().zip(other).all(|(one, other)| one >= other);
            (below || above).then(|| one.iter().zip(other).map(|(one, other)| *one.min(other)).collect())
        });
        assert_eq!(grid.lens(), [1, 1]);
    }
}
