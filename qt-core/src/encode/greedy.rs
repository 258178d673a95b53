//! The greedy encoder, which makes a small tree of a map that is too large for the optimal encoder.
//!
//! Starting from the whole grid, it chooses the cuts that divide the fewest rectangles. As soon as a box is small
//! enough, it finds the smallest tree of the box.

mod mean;
mod tiling;

use std::ops::Range;

use super::boxes::common_decision;
use super::grid::Grid;
use super::optimal::guillotine::{self, cuts, halves};
use super::optimal::search::Search;
use super::sets::{SetId, Sets};
use super::{Algorithm, Encoded, Input, fewest_leaves};
use crate::problem::Problem;
use crate::rectangles;
use crate::tree::FlatTree;

use tiling::Tiling;

/// The greedy encoder. It is exact, unless a budget allows otherwise, and has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Greedy;

/// The depth below which boxes are halved, so that no map makes the tree too deep for a file.
const DEEPEST: usize = 200;

impl Algorithm for Greedy {
    const NAME: &'static str = "greedy";

    const KEEPS_MEAN_BUDGET: bool = true;

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        match input.budget.mean {
            Some(mean) => mean::encode(input, mean),
            None => exact(input),
        }
    }
}

/// Returns a tree that is right in every cell, within the limits of cells.
fn exact(input: &Input<'_>) -> Result<Encoded, Problem> {
    fewest_leaves::check(input)?;
    let mut sets = Sets::new();
    let cells = sets.of_cells(input);
    let grid = Grid::new(input.shape.lens(), cells).merged(|one, other| sets.stricter(one, other));
    let colours = sets.representatives(grid.cells());
    let tiling = Tiling::new(&grid.lens(), &colours);
    let bound = lower_bound(&grid.lens(), &colours).filter(|_| sets.are_single(grid.cells()));
    let mut cutter = Cutter { input, grid: &grid, tiling: &tiling, sets: &mut sets };
    let whole: Vec<Range<usize>> = grid.lens().into_iter().map(|len| 0..len).collect();
    let nodes = cutter.tree(&whole, 0);
    Ok(Encoded::new(&nodes, input, bound))
}

/// Returns the size of a minimum partition of the grid into rectangles of one colour, if the grid has at most two axes. No tree has
/// fewer leaves, because its leaves are such rectangles. (A tree never needs more than twice as many leaves, minus one: Berman,
/// `DasGupta` and Muthukrishnan, SIAM J. Discrete Math. 15(2), 2002.)
fn lower_bound(lens: &[usize], colours: &[u32]) -> Option<u64> {
    let columns = match lens.iter().copied().filter(|&len| len > 1).collect::<Vec<_>>()[..] {
        [] => 1,
        [columns] | [_, columns] => columns,
        _ => return None,
    };
    let cells = colours.iter().map(|&colour| colour as usize + 1).collect();
    Some(rectangles::Grid::new(columns, cells).fewest_rectangles().len() as u64)
}

struct Cutter<'s, 'm> {
    input: &'s Input<'m>,
    grid: &'s Grid<SetId>,
    tiling: &'s Tiling,
    sets: &'s mut Sets,
}

impl Cutter<'_, '_> {
    fn tree(&mut self, whole: &[Range<usize>], depth: usize) -> FlatTree {
        let lens: Vec<usize> = whole.iter().map(Range::len).collect();
        let is_line = lens.iter().filter(|&&len| len > 1).count() <= 1;
        if is_line || self.input.search_limit.is_negligible(guillotine::steps(&lens)) {
            return self.smallest(whole);
        }
        let (axis, at) = self.cut(whole, depth);
        let [below, from] = halves(whole, axis, at);
        let (below, from) = (self.tree(&below, depth + 1), self.tree(&from, depth + 1));
        FlatTree::test(axis, self.grid.sample(axis, at), below, from)
    }

    fn smallest(&mut self, whole: &[Range<usize>]) -> FlatTree {
        let part = self.grid.part(whole).merged(|one, other| self.sets.stricter(one, other));
        let decide = |samples: &[Range<usize>]| common_decision(self.input, samples);
        Search { input: self.input, grid: &part, decide: &decide }.smallest(self.sets).0
    }

    /// Returns the cut that makes the fewest new rectangles; on a tie, the one nearest to the middle.
    fn cut(&self, whole: &[Range<usize>], depth: usize) -> (usize, usize) {
        let off_middle = |axis: usize, at: usize| {
            let Range { start, end } = whole[axis];
            (2 * at).abs_diff(start + end) as f64 / (end - start) as f64
        };
        if depth >= DEEPEST {
            let longest = (0..whole.len()).max_by_key(|&axis| whole[axis].len()).unwrap_or(0);
            return (longest, whole[longest].start + whole[longest].len() / 2);
        }
        let best = cuts(whole).min_by(|&(axis, at), &(other, other_at)| {
            let pieces =
                self.tiling.new_pieces(whole, axis, at).cmp(&self.tiling.new_pieces(whole, other, other_at));
            pieces.then(off_middle(axis, at).total_cmp(&off_middle(other, other_at)))
        });
        best.expect("a box that is large has a cut")
    }
}
