//! The guillotine dynamic program, which computes the best tree of every box of a grid from those of its halves.
//!
//! A tree of tests partitions the grid by cuts that each run from one side of a box to the other. The best tree of
//! a box is a leaf, or the best of all cuts with the best trees of both sides. This takes O(n⁵) on a grid of n × n, which is also
//! the best known bound (Kobourov et al., AAAI 2023, doi 10.1609/aaai.v37i7.26006).
//!
//! Values are stored in *planes*: all ranges of the last axis, the short ones first, for one box of the other axes. A cut across
//! another axis joins two whole planes, and a cut across the last axis joins two rows of a plane. Both are plain loops over
//! neighbouring numbers that compilers vectorise.

use std::ops::Range;

/// A cost model for leaves and tests, of which the search finds the tree with the minimum sum.
pub(in crate::encode) trait CostModel {
    /// The value of a tree: lower is better.
    type Value: Copy + PartialOrd;

    /// The value of an infeasible tree.
    const INFEASIBLE: Self::Value;

    /// The bytes that the model holds for each column of each box of the other axes.
    const BYTES_OF_COLUMN: usize;

    /// The bytes that the model holds for each box.
    const BYTES_OF_BOX: usize = 0;

    /// Returns the value of a test, from those of its two sides.
    fn join(below: Self::Value, from: Self::Value) -> Self::Value;

    /// Sets the value of every box of a plane as a leaf: [`INFEASIBLE`](Self::INFEASIBLE) if it cannot be one.
    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [Self::Value]);

    /// Sets the additional cost of a test at the top of every box; returns false if there is none.
    fn tests(&mut self, _outer: &[Range<usize>], _ranges: Ranges, _plane: &mut [Self::Value]) -> bool {
        false
    }

    /// Returns the value of one box as a leaf, and as a test whose sides cost `sides`, if it can be cut.
    fn leaf_and_test(
        &mut self,
        whole: &[Range<usize>],
        ranges: Ranges,
        sides: Option<Self::Value>,
    ) -> (Self::Value, Self::Value) {
        let (last, outer) = whole.split_last().expect("a box has an axis");
        let mut plane = vec![Self::INFEASIBLE; ranges.count()];
        let number = ranges.number(last);
        self.leaves(outer, ranges, &mut plane);
        let leaf = plane[number];
        let tested = self.tests(outer, ranges, &mut plane);
        let test = sides
            .map_or(Self::INFEASIBLE, |sides| if tested { Self::join(sides, plane[number]) } else { sides });
        (leaf, test)
    }
}

/// The ranges of an axis, numbered by increasing length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encode) struct Ranges(usize);

impl Ranges {
    pub(in crate::encode) fn new(len: usize) -> Self {
        Self(len)
    }

    pub(super) fn count(self) -> usize {
        self.0 * (self.0 + 1) / 2
    }

    /// Returns the numbers of all ranges of one length, which start at 0, 1, 2, ….
    pub(in crate::encode) fn of_length(self, len: usize) -> Range<usize> {
        let first = (len - 1) * (2 * self.0 + 2 - len) / 2;
        first..first + self.0 + 1 - len
    }

    pub(super) fn number(self, range: &Range<usize>) -> usize {
        self.of_length(range.len()).start + range.start
    }

    pub(in crate::encode) fn axis_len(self) -> usize {
        self.0
    }

    pub(super) fn all(self) -> impl Iterator<Item = Range<usize>> + Clone {
        (1..=self.0).flat_map(move |len| (0..=self.0 - len).map(move |start| start..start + len))
    }
}

/// The boxes of all axes except the last, numbered so that each comes after its halves.
#[derive(Clone, Debug)]
pub(in crate::encode) struct Outer(Vec<Ranges>);

impl Outer {
    /// Creates the boxes of all these axes except the last.
    pub(in crate::encode) fn new(lens: &[usize]) -> Self {
        Self(lens[..lens.len() - 1].iter().copied().map(Ranges::new).collect())
    }

    pub(in crate::encode) fn count(&self) -> usize {
        self.0.iter().map(|ranges| ranges.count()).product()
    }

    pub(in crate::encode) fn number(&self, outer: &[Range<usize>]) -> usize {
        self.0
            .iter()
            .zip(outer)
            .fold(0, |number, (ranges, range)| number * ranges.count() + ranges.number(range))
    }

    /// Returns the numbers of the two halves of a box.
    fn halves(&self, whole: &[Range<usize>], axis: usize, at: usize) -> [usize; 2] {
        let stride: usize = self.0[axis + 1..].iter().map(|ranges| ranges.count()).product();
        let range = &whole[axis];
        let others = self.number(whole) - stride * self.0[axis].number(range);
        [range.start..at, at..range.end].map(|half| others + stride * self.0[axis].number(&half))
    }

    pub(in crate::encode) fn all(&self) -> Vec<Vec<Range<usize>>> {
        self.0.iter().fold(vec![Vec::new()], |boxes, ranges| {
            boxes.iter().flat_map(|of| ranges.all().map(move |range| [&of[..], &[range]].concat())).collect()
        })
    }
}

/// Returns the two halves of a box that is cut across an axis before a slice.
pub(in crate::encode) fn halves(whole: &[Range<usize>], axis: usize, at: usize) -> [Vec<Range<usize>>; 2] {
    let (mut below, mut from) = (whole.to_vec(), whole.to_vec());
    below[axis].end = at;
    from[axis].start = at;
    [below, from]
}

/// Returns every cut of a box: the axis, and the first slice of the upper side.
pub(in crate::encode) fn cuts(whole: &[Range<usize>]) -> impl Iterator<Item = (usize, usize)> {
    whole.iter().enumerate().flat_map(|(axis, range)| (range.start + 1..range.end).map(move |at| (axis, at)))
}

/// Returns the number of comparisons of trees that fill the table of a grid.
pub(in crate::encode) fn steps(lens: &[usize]) -> u128 {
    let cuts = |len: u128| (len - 1) * len * (len + 1) / 6;
    let cuts_across = |axis: usize| -> u128 {
        let axes = lens.iter().enumerate();
        axes.map(|(other, &len)| if other == axis { cuts(len as u128) } else { boxes(&[len]) }).product()
    };
    (0..lens.len()).map(cuts_across).sum()
}

/// Returns the bytes of this many tables of a grid, and of their model.
pub(in crate::encode) fn bytes<R: CostModel>(lens: &[usize], tables: usize) -> u128 {
    let each = tables * size_of::<R::Value>() + R::BYTES_OF_BOX;
    let (last, outer) = lens.split_last().expect("a grid has an axis");
    boxes(lens) * each as u128 + boxes(outer) * (last * R::BYTES_OF_COLUMN) as u128
}

pub(in crate::encode) fn boxes(lens: &[usize]) -> u128 {
    lens.iter().map(|&len| len as u128 * (len as u128 + 1) / 2).product()
}

/// The value of the best tree of every box.
pub(in crate::encode) struct TreeCosts<R: CostModel> {
    outer: Outer,
    inner: Ranges,
    values: Vec<R::Value>,
}

impl<R: CostModel> TreeCosts<R> {
    /// Computes the best trees of any depth.
    pub(in crate::encode) fn best(model: &mut R, lens: &[usize]) -> Self {
        Self::fill(model, lens, None)
    }

    /// Computes the trees that are leaves.
    pub(in crate::encode) fn from_leaves(model: &mut R, lens: &[usize]) -> Self {
        let (outer, inner) = (Outer::new(lens), Ranges::new(lens[lens.len() - 1]));
        let mut values = vec![R::INFEASIBLE; outer.count() * inner.count()];
        for (plane, outer) in values.chunks_mut(inner.count()).zip(outer.all()) {
            model.leaves(&outer, inner, plane);
        }
        Self { outer, inner, values }
    }

    /// Computes the best leaves and tests. The sides of tests come from `sides`, or by default from the new table.
    pub(super) fn fill(model: &mut R, lens: &[usize], sides: Option<&Self>) -> Self {
        let (outer, inner) = (Outer::new(lens), Ranges::new(lens[lens.len() - 1]));
        let size = inner.count();
        let mut values = vec![R::INFEASIBLE; outer.count() * size];
        let (mut leaves, mut tests) = (vec![R::INFEASIBLE; size], vec![R::INFEASIBLE; size]);
        for (number, whole) in outer.all().into_iter().enumerate() {
            let (done, rest) = values.split_at_mut(number * size);
            let plane = &mut rest[..size];
            for (axis, at) in cuts(&whole) {
                let [below, from] = outer.halves(&whole, axis, at).map(|half| half * size..(half + 1) * size);
                let done = sides.map_or(&*done, |sides| &sides.values[..]);
                improve::<R>(plane, &done[below], &done[from]);
            }
            model.leaves(&whole, inner, &mut leaves);
            let tested = model.tests(&whole, inner, &mut tests);
            for len in 1..=inner.axis_len() {
                let numbers = inner.of_length(len);
                let (shorter, row) = plane.split_at_mut(numbers.start);
                let row = &mut row[..numbers.len()];
                for cut in 1..len {
                    let (below, from) = (inner.of_length(cut).start, inner.of_length(len - cut).start + cut);
                    let (below, from) = (below..below + row.len(), from..from + row.len());
                    let shorter = sides.map_or(&*shorter, |sides| &sides.values[number * size..]);
                    improve::<R>(row, &shorter[below], &shorter[from]);
                }
                if tested {
                    row.iter_mut()
                        .zip(&tests[numbers.clone()])
                        .for_each(|(value, &test)| *value = R::join(*value, test));
                }
                for (value, &leaf) in row.iter_mut().zip(&leaves[numbers]) {
                    *value = if leaf < *value { leaf } else { *value };
                }
            }
        }
        Self { outer, inner, values }
    }

    pub(in crate::encode) fn value(&self, whole: &[Range<usize>]) -> R::Value {
        self.values[self.place(whole)]
    }

    /// Returns the values by their [places](Self::place).
    pub(super) fn values(&self) -> &[R::Value] {
        &self.values
    }

    /// Returns the place of a box, which comes after those of its halves.
    pub(super) fn place(&self, whole: &[Range<usize>]) -> usize {
        let (last, outer) = whole.split_last().expect("a box has an axis");
        self.outer.number(outer) * self.inner.count() + self.inner.number(last)
    }

    /// Returns the places of the two halves of a box.
    pub(super) fn halves(&self, whole: &mut [Range<usize>], axis: usize, at: usize) -> [usize; 2] {
        let Range { start, end } = whole[axis];
        let places = [start..at, at..end].map(|half| {
            whole[axis] = half;
            self.place(whole)
        });
        whole[axis] = start..end;
        places
    }
}

/// A cut of a box, with the best total value of its two sides.
#[derive(Clone, Copy, Debug)]
pub(in crate::encode) struct Cut<V> {
    pub(in crate::encode) axis: usize,
    pub(in crate::encode) at: usize,
    pub(in crate::encode) value: V,
}

/// Returns the best cut of a box, with sides valued by a table. On a tie, returns the cut whose more expensive side is cheapest,
/// because it makes the shallower tree. Returns `None` for a single cell.
pub(in crate::encode) fn best_cut<R: CostModel>(
    sides: &TreeCosts<R>,
    whole: &[Range<usize>],
) -> Option<Cut<R::Value>> {
    let mut best: Option<(Cut<R::Value>, R::Value)> = None;
    let mut scratch = whole.to_vec();
    for (axis, at) in cuts(whole) {
        let [below, from] = sides.halves(&mut scratch, axis, at).map(|half| sides.values[half]);
        let (value, dearer) = (R::join(below, from), if below < from { from } else { below });
        if best.is_none_or(|(cut, other)| value < cut.value || (value == cut.value && dearer < other)) {
            best = Some((Cut { axis, at, value }, dearer));
        }
    }
    best.map(|(cut, _)| cut)
}

/// Replaces the value of each box by that of a test with these two sides, if it is better.
fn improve<R: CostModel>(best: &mut [R::Value], below: &[R::Value], from: &[R::Value]) {
    for ((best, &below), &from) in best.iter_mut().zip(below).zip(from) {
        let test = R::join(below, from);
        *best = if test < *best { test } else { *best };
    }
}

/// Sums over the cells of every box of the outer axes, for every place along the last axis.
#[derive(Clone, Debug)]
pub(in crate::encode) struct OuterSums<C> {
    outer: Outer,
    width: usize,
    sums: Vec<C>,
}

impl<C: Copy> OuterSums<C> {
    /// Computes the sums. `cells` are row-major; the result must not depend on the order of `add`.
    pub(in crate::encode) fn new(lens: &[usize], cells: &[C], mut add: impl FnMut(C, C) -> C) -> Self {
        let outer = Outer::new(lens);
        let width = lens[lens.len() - 1];
        let mut sums: Vec<C> = Vec::with_capacity(outer.count() * width);
        for whole in outer.all() {
            if let Some(axis) = whole.iter().position(|range| range.len() > 1) {
                let last = whole[axis].end - 1;
                let [below, from] = outer.halves(&whole, axis, last).map(|half| half * width);
                for entry in 0..width {
                    sums.push(add(sums[below + entry], sums[from + entry]));
                }
            } else {
                let row = whole.iter().zip(lens).fold(0, |row, (range, len)| row * len + range.start);
                sums.extend_from_slice(&cells[row * width..][..width]);
            }
        }
        Self { outer, width, sums }
    }

    /// Returns the sums of every box along the outer axes, by their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = &[C]> {
        self.sums.chunks(self.width)
    }

    /// Returns the sums of one box along the outer axes.
    pub(in crate::encode) fn get(&self, outer: &[Range<usize>]) -> &[C] {
        &self.sums[self.outer.number(outer) * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_has_its_own_number() {
        for len in 1..20 {
            let ranges = Ranges::new(len);
            let numbers: Vec<usize> = ranges.all().map(|range| ranges.number(&range)).collect();
            assert_eq!(numbers, (0..ranges.count()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_box_comes_after_its_halves() {
        let outer = Outer::new(&[3, 4, 9]);
        for (number, whole) in outer.all().iter().enumerate() {
            assert_eq!(outer.number(whole), number);
            for (axis, at) in cuts(whole) {
                let halves = halves(whole, axis, at).map(|half| outer.number(&half));
                assert_eq!(outer.halves(whole, axis, at), halves);
                assert!(halves.iter().all(|&half| half < number));
            }
        }
    }

    #[test]
    fn the_steps_are_those_of_every_cut_of_every_box() {
        for lens in [vec![7], vec![3, 5], vec![2, 4, 3]] {
            let with_last = [&lens[..], &[1]].concat();
            let all = Outer::new(&with_last).all();
            assert_eq!(steps(&lens), all.iter().map(|whole| cuts(whole).count() as u128).sum());
            assert_eq!(boxes(&lens), all.len() as u128);
        }
    }
}
