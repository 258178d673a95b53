//! A tree as rows of answers in machine words: one axis selects the word, the other the bits in it.

use super::DecisionTree;
use super::table::{cells_between, cuts};
use crate::domain::MethodIndex;

/// The steps that extract an answer from its word: a multiplication, a shift and a mask.
const UNPACKING: usize = 3;

/// The answers of a tree that tests two axes, packed into one word for each interval of the first axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackedRows {
    /// The axis whose intervals select the word.
    pub(crate) row: CutAxis,
    /// The axis whose intervals select the bits.
    pub(crate) column: CutAxis,
    /// The number of bits in one answer.
    pub(crate) bits: u32,
    /// A word for each interval of the row axis, with the answer of the lowest interval of the column axis in its lowest bits.
    pub(crate) words: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CutAxis {
    /// The position of the axis.
    pub(crate) axis: usize,
    /// The first samples of all intervals except the lowest.
    pub(crate) cuts: Vec<usize>,
}

impl PackedRows {
    /// Packs the answers of a tree, each given as a number.
    ///
    /// Returns `None` if the tree does not test exactly two axes, if 64 bits are too few for a word, or if this takes
    /// no fewer steps than a selection between every two regions. Choosing a word, counting a cut and a selection are each one
    /// step. On x86-64 all three take 3 to 4 instructions, and the count takes the most, so the axis with fewer cuts selects the bits.
    pub(crate) fn from_tree(
        tree: &DecisionTree,
        number: impl Fn(Option<MethodIndex>) -> u64,
    ) -> Option<Self> {
        let cuts = cuts(tree);
        let mut tested: Vec<CutAxis> = cuts
            .iter()
            .enumerate()
            .filter(|(_, cuts)| !cuts.is_empty())
            .map(|(axis, cuts)| CutAxis { axis, cuts: cuts.clone() })
            .collect();
        tested.sort_by_key(|tested| tested.cuts.len());
        let Ok([column, row]) = <[CutAxis; 2]>::try_from(tested) else { return None };
        let steps = row.cuts.len() + column.cuts.len() + UNPACKING;
        let greatest = tree.root().methods().map(&number).max()?;
        let bits = (u64::BITS - greatest.leading_zeros()).max(1);
        if steps + 1 >= tree.root().leaves() || width(bits, &column) > u64::BITS as usize {
            return None;
        }
        let shape: Vec<usize> = cuts.iter().map(|cuts| cuts.len() + 1).collect();
        let cells = cells_between(tree, &cuts, &shape);
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        let answer =
            |high: usize, low: usize| number(cells[high * stride(row.axis) + low * stride(column.axis)]);
        let word = |high: usize| {
            (0..=column.cuts.len()).fold(0, |word, low| word | answer(high, low) << (bits * low as u32))
        };
        let words = (0..=row.cuts.len()).map(word).collect();
        Some(Self { row, column, bits, words })
    }

    /// Returns the number of bits of a word that are used.
    pub(crate) fn width(&self) -> usize {
        width(self.bits, &self.column)
    }
}

fn width(bits: u32, column: &CutAxis) -> usize {
    bits as usize * (column.cuts.len() + 1)
}
