//! Extension of a grid to 2^k × 2^k, computed arithmetically: no filled-in cell is ever stored.

use std::ops::Range;

/// The sample that a filled-in index represents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fill {
    /// ⌊i · n / 2^k⌋: every sample about equally often.
    #[default]
    Stretch,
    /// min(i, n − 1): the last sample is repeated.
    Last,
}

/// One axis, extended to a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilledAxis {
    samples: usize,
    levels: u32,
    fill: Fill,
}

impl FilledAxis {
    fn new(samples: usize, levels: u32, fill: Fill) -> Self {
        debug_assert!(samples <= 1 << levels);
        Self { samples, levels, fill }
    }

    /// Returns the axes of a grid, with the least levels for all of them.
    pub(crate) fn of_grid(shape: &[usize], fill: Fill) -> (u32, Vec<Self>) {
        let longest = *shape.iter().max().expect("a domain has an axis");
        let levels = longest.next_power_of_two().ilog2();
        (levels, shape.iter().map(|&len| Self::new(len, levels, fill)).collect())
    }

    /// Returns the sample that a filled-in index represents.
    fn sample(self, index: usize) -> usize {
        match self.fill {
            Fill::Stretch => ((index as u64 * self.samples as u64) >> self.levels) as usize,
            Fill::Last => index.min(self.samples - 1),
        }
    }

    /// Returns the filled-in index of a sample's first copy; the end of the axis for the sample after the last.
    pub(super) fn first_copy(self, sample: usize) -> usize {
        match self.fill {
            Fill::Stretch => ((sample as u64) << self.levels).div_ceil(self.samples as u64) as usize,
            Fill::Last if sample < self.samples => sample,
            Fill::Last => 1 << self.levels,
        }
    }

    /// Returns the first sample on the upper side of a cut. A sample that the cut divides belongs to the side of its first copy.
    pub(crate) fn first_from(self, cut: usize) -> usize {
        if cut == 1 << self.levels {
            return self.samples;
        }
        let sample = self.sample(cut);
        if self.first_copy(sample) == cut { sample } else { sample + 1 }
    }

    /// Returns the samples that have a copy in a range of filled-in indexes.
    pub(super) fn samples_in(self, range: &Range<usize>) -> Range<usize> {
        self.sample(range.start)..self.sample(range.end - 1) + 1
    }

    /// Returns the number of copies of a sample in a range of filled-in indexes.
    pub(super) fn copies_in(self, sample: usize, range: &Range<usize>) -> usize {
        self.first_copy(sample + 1).min(range.end) - self.first_copy(sample).max(range.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> impl Iterator<Item = FilledAxis> {
        let fills = [Fill::Stretch, Fill::Last].into_iter();
        fills.flat_map(|fill| {
            (1..40).flat_map(move |n: usize| {
                let least = n.next_power_of_two().ilog2();
                (least..least + 3).map(move |levels| FilledAxis::new(n, levels, fill))
            })
        })
    }

    #[test]
    fn every_index_represents_a_copy_of_its_sample() {
        for axis in axes() {
            let size = 1 << axis.levels;
            for index in 0..size {
                let sample = axis.sample(index);
                assert!(
                    axis.first_copy(sample) <= index && index < axis.first_copy(sample + 1),
                    "{axis:?} {index}"
                );
            }
            let copies: usize = (0..axis.samples).map(|sample| axis.copies_in(sample, &(0..size))).sum();
            assert_eq!(copies, size, "{axis:?}");
        }
    }

    #[test]
    fn a_cut_puts_every_sample_on_the_side_of_its_first_copy() {
        for axis in axes() {
            for cut in 0..=1 << axis.levels {
                let at = axis.first_from(cut);
                for sample in 0..axis.samples {
                    assert_eq!(
                        axis.first_copy(sample) < cut,
                        sample < at,
                        "{axis:?} cut at {cut}, sample {sample}"
                    );
                }
            }
        }
    }
}
