//! Objective functions of the optimal search.

use std::cmp::Ordering;
use std::ops::Range;

use super::guillotine::{CostModel, Outer, OuterSums, Ranges};
use crate::encode::sets::{SetId, Sets};

/// The boxes that have a decision acceptable in all of their cells.
pub(super) struct Uniform<'s> {
    sets: &'s mut Sets,
    columns: OuterSums<SetId>,
}

impl<'s> Uniform<'s> {
    pub(super) fn new(lens: &[usize], cells: &[SetId], sets: &'s mut Sets) -> Self {
        let columns = OuterSums::new(lens, cells, |one, other| sets.meet(one, other));
        Self { sets, columns }
    }

    fn leaves<V: Copy>(
        &mut self,
        outer: &[Range<usize>],
        ranges: Ranges,
        plane: &mut [V],
        [leaf, never]: [V; 2],
    ) {
        plane.fill(never);
        let columns = self.columns.get(outer);
        for start in 0..columns.len() {
            let mut common = SetId::ANY;
            for (before, &column) in columns[start..].iter().enumerate() {
                common = self.sets.meet(common, column);
                // A wider box has no more methods in common.
                if common == SetId::NONE {
                    break;
                }
                plane[ranges.of_length(before + 1).start + start] = leaf;
            }
        }
    }
}

/// Exact trees with the fewest leaves.
///
/// A value is below 2^15: the search limit allows no more work than for a grid of 32 767 cells.
pub(super) struct FewestLeaves<'s>(pub(super) Uniform<'s>);

impl CostModel for FewestLeaves<'_> {
    // Signed, because the oldest vector units compute the minimum of signed numbers only.
    type Value = i16;
    const INFEASIBLE: i16 = i16::MAX;
    const BYTES_OF_COLUMN: usize = size_of::<SetId>();

    fn join(below: i16, from: i16) -> i16 {
        below.saturating_add(from)
    }

    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [i16]) {
        self.0.leaves(outer, ranges, plane, [1, Self::INFEASIBLE]);
    }
}

/// Exact trees with the fewest tests on the path to the deepest leaf.
pub(super) struct LeastDepth<'s>(pub(super) Uniform<'s>);

impl CostModel for LeastDepth<'_> {
    type Value = i16;
    const INFEASIBLE: i16 = i16::MAX;
    const BYTES_OF_COLUMN: usize = size_of::<SetId>();

    fn join(below: i16, from: i16) -> i16 {
        (if below < from { from } else { below }).saturating_add(1)
    }

    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [i16]) {
        self.0.leaves(outer, ranges, plane, [0, Self::INFEASIBLE]);
    }
}

/// Boxes with the number of calls that reach each.
pub(super) struct Called<'s> {
    uniform: Uniform<'s>,
    calls: OuterSums<f64>,
}

impl<'s> Called<'s> {
    /// Creates the boxes; `calls` holds the calls of each cell.
    pub(super) fn new(lens: &[usize], cells: &[SetId], calls: &[f64], sets: &'s mut Sets) -> Self {
        let calls = OuterSums::new(lens, calls, |one, other| one + other);
        Self { uniform: Uniform::new(lens, cells, sets), calls }
    }

    /// Passes each box of a plane and the number of calls that reach it to `take`.
    fn each_box<V>(
        &self,
        outer: &[Range<usize>],
        ranges: Ranges,
        plane: &mut [V],
        take: impl FnMut(&mut V, f64),
    ) {
        let columns = self.calls.get(outer);
        each_width(columns, ranges, &mut vec![0.0; columns.len()], plane, take);
    }
}

/// Exact trees with the fewest tests over all calls.
pub(super) struct FewestTests<'s>(pub(super) Called<'s>);

impl CostModel for FewestTests<'_> {
    type Value = f64;
    const INFEASIBLE: f64 = f64::INFINITY;
    const BYTES_OF_COLUMN: usize = size_of::<SetId>() + size_of::<f64>();

    fn join(below: f64, from: f64) -> f64 {
        below + from
    }

    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [f64]) {
        self.0.uniform.leaves(outer, ranges, plane, [0.0, Self::INFEASIBLE]);
    }

    fn tests(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [f64]) -> bool {
        self.0.each_box(outer, ranges, plane, |value, calls| *value = calls);
        true
    }
}

/// The cost of a misprediction relative to a correctly predicted test: 15 to 20 cycles against 1 or 2.
const TESTS_A_MISPREDICTION: f64 = 8.0;

/// The number by which calls are multiplied so that the cost of their tests is a whole number.
pub(super) const PART: f64 = TESTS_A_MISPREDICTION;

/// The number of calls that reach a box, and the cost of its tests for them, in mispredictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expected {
    cost: f64,
    calls: f64,
}

impl PartialOrd for Expected {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.cost.partial_cmp(&other.cost)
    }
}

/// Exact trees with the fewest mispredictions, assuming uncorrelated calls.
///
/// For every test, a processor then predicts the side that most calls take, and mispredicts each call that takes the other.
/// Every test has an additional cost, because otherwise a long chain of tests that few calls reach would be free.
pub(super) struct FewestMispredictions<'s>(pub(super) Called<'s>);

impl CostModel for FewestMispredictions<'_> {
    type Value = Expected;
    const INFEASIBLE: Expected = Expected { cost: f64::INFINITY, calls: 0.0 };
    const BYTES_OF_COLUMN: usize = size_of::<SetId>() + size_of::<f64>();

    fn join(below: Expected, from: Expected) -> Expected {
        let wrong = if below.calls < from.calls { below.calls } else { from.calls };
        Expected { cost: below.cost + from.cost + wrong, calls: below.calls + from.calls }
    }

    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [Expected]) {
        let leaf = Expected { cost: 0.0, ..Self::INFEASIBLE };
        self.0.uniform.leaves(outer, ranges, plane, [leaf, Self::INFEASIBLE]);
        self.0.each_box(outer, ranges, plane, |value, calls| value.calls = calls);
    }

    fn tests(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [Expected]) -> bool {
        // It has no calls of its own: a test is joined to its sides as a third operand that is always predicted correctly.
        let test = |calls: f64| Expected { cost: calls / TESTS_A_MISPREDICTION, calls: 0.0 };
        self.0.each_box(outer, ranges, plane, |value, calls| *value = test(calls));
        true
    }
}

/// Trees with errors: the minimum sum of a cost for every leaf and costs for every cell.
pub(super) struct LeastCost {
    /// The cost of a leaf.
    pub(super) leaf: f64,
    outer: Outer,
    /// The minimum cost of the cells of every box, over all methods: plane after plane. A search asks for it at many costs of a leaf.
    of_cells: Vec<f64>,
}

impl LeastCost {
    /// Creates the cost model; `leaf_costs` holds, for each method, its cost in each cell, infinite if it is not allowed.
    pub(super) fn new(lens: &[usize], leaf: f64, leaf_costs: &[Vec<f64>]) -> Self {
        let (outer, ranges) = (Outer::new(lens), Ranges::new(lens[lens.len() - 1]));
        let mut of_cells = vec![Self::INFEASIBLE; outer.count() * ranges.count()];
        let mut sums = vec![0.0; ranges.axis_len()];
        for costs in leaf_costs {
            let columns = OuterSums::new(lens, costs, |one, other| one + other);
            for (plane, columns) in of_cells.chunks_mut(ranges.count()).zip(columns.all()) {
                sums.fill(0.0);
                each_width(columns, ranges, &mut sums, plane, |value, sum| {
                    *value = if sum < *value { sum } else { *value };
                });
            }
        }
        Self { leaf, outer, of_cells }
    }
}

impl CostModel for LeastCost {
    type Value = f64;
    const INFEASIBLE: f64 = f64::INFINITY;
    const BYTES_OF_COLUMN: usize = size_of::<f64>();
    const BYTES_OF_BOX: usize = size_of::<f64>();

    fn join(below: f64, from: f64) -> f64 {
        below + from
    }

    fn leaves(&mut self, outer: &[Range<usize>], ranges: Ranges, plane: &mut [f64]) {
        let of_cells = &self.of_cells[self.outer.number(outer) * ranges.count()..];
        plane.iter_mut().zip(of_cells).for_each(|(value, cells)| *value = self.leaf + cells);
    }

    fn leaf_and_test(&mut self, whole: &[Range<usize>], ranges: Ranges, sides: Option<f64>) -> (f64, f64) {
        let (last, outer) = whole.split_last().expect("a box has an axis");
        let place = self.outer.number(outer) * ranges.count() + ranges.number(last);
        (self.leaf + self.of_cells[place], sides.unwrap_or(Self::INFEASIBLE))
    }
}

/// Sums the columns of every range; `sums` holds the initial values. Slices side by side let the compiler take several at once.
fn each_width<V>(
    columns: &[f64],
    ranges: Ranges,
    sums: &mut [f64],
    plane: &mut [V],
    mut take: impl FnMut(&mut V, f64),
) {
    for len in 1..=columns.len() {
        let values = &mut plane[ranges.of_length(len)];
        for ((sum, column), value) in sums.iter_mut().zip(&columns[len - 1..]).zip(values) {
            *sum += column;
            take(value, *sum);
        }
    }
}
