//! The search for the best tree of a grid, for any objective.

use std::ops::Range;

use super::guillotine::{self, CostModel, Ranges, TreeCosts, best_cut, halves};
use super::objectives::{FewestLeaves, Uniform};
use crate::domain::MethodIndex;
use crate::encode::boxes::balanced;
use crate::encode::grid::Grid;
use crate::encode::sets::{SetId, Sets};
use crate::encode::{Encoded, Input};
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::FlatTree;

pub(in crate::encode) struct Search<'s, C> {
    pub(in crate::encode) input: &'s Input<'s>,
    pub(in crate::encode) grid: &'s Grid<C>,
    /// The function that returns the decision of a leaf, from its samples.
    pub(in crate::encode) decide: &'s dyn Fn(&[Range<usize>]) -> Option<MethodIndex>,
}

/// Returns the table with the values of both sides of a test, by the number of tests above it; `None` if there must be none.
type Sides<'t, R> = &'t dyn Fn(usize) -> Option<&'t TreeCosts<R>>;

impl<C: Copy> Search<'_, C> {
    pub(in crate::encode) fn whole(&self) -> Vec<Range<usize>> {
        self.grid.lens().into_iter().map(|len| 0..len).collect()
    }

    /// Returns whether only one axis is left.
    pub(super) fn is_line(&self) -> bool {
        self.grid.lens().into_iter().filter(|&len| len > 1).count() == 1
    }

    /// Returns the maximum depth that any tree needs.
    fn deepest(&self) -> u32 {
        self.grid.lens().into_iter().map(|len| len as u32 - 1).sum()
    }

    /// Returns an error if filling this many tables would exceed the search limit.
    pub(super) fn check_search_limit<R: CostModel>(&self, what: &str, tables: usize) -> Result<(), Problem> {
        let lens = self.grid.lens();
        let (steps, boxes) = (guillotine::steps(&lens), guillotine::boxes(&lens));
        // For the leaf of a box, the cost of each method is computed.
        let leaves = boxes * self.input.methods().len() as u128;
        self.input.search_limit.check(
            what,
            Message::set("encoding", "greedy"),
            &lens,
            (steps + leaves) * tables as u128,
            guillotine::bytes::<R>(&lens, tables),
        )
    }

    /// Returns the best tree. `model` is called once there is memory for it.
    pub(super) fn best<R: CostModel>(
        &self,
        model: impl FnOnce() -> R,
        what: &str,
    ) -> Result<Encoded, Problem> {
        self.check_search_limit::<R>(what, 1)?;
        let mut model = model();
        let table = TreeCosts::best(&mut model, &self.grid.lens());
        Ok(self.encoded(&mut model, &|_| Some(&table)))
    }

    /// Returns the best tree of this depth at most. `model` is called once there is memory for it.
    pub(super) fn within_depth<R: CostModel>(
        &self,
        model: impl FnOnce() -> R,
        limit: u32,
    ) -> Result<Encoded, Problem> {
        let limit = limit.min(self.deepest());
        self.check_search_limit::<R>("the best tree of limited depth", limit as usize + 1)?;
        let (mut model, lens) = (model(), self.grid.lens());
        let mut tables = vec![TreeCosts::from_leaves(&mut model, &lens)];
        for level in 0..limit as usize {
            let deeper = TreeCosts::fill(&mut model, &lens, Some(&tables[level]));
            tables.push(deeper);
        }
        if tables[limit as usize].value(&self.whole()) >= R::INFEASIBLE {
            let message = format!("every tree of depth {limit} chooses some method where it may not run");
            return Err(Problem::new(Place::File, message).help(Message::from("raise ").option("max_depth")));
        }
        Ok(self.encoded(&mut model, &|above| Some(&tables[(limit as usize).checked_sub(above + 1)?])))
    }

    pub(super) fn encoded<R: CostModel>(&self, model: &mut R, sides: Sides<'_, R>) -> Encoded {
        Encoded::new(&self.tree(model, sides, &self.whole(), 0), self.input, None)
    }

    fn tree<R: CostModel>(
        &self,
        model: &mut R,
        sides: Sides<'_, R>,
        whole: &[Range<usize>],
        above: usize,
    ) -> FlatTree {
        let cut = sides(above).and_then(|table| best_cut(table, whole));
        let ranges = Ranges::new(self.grid.lens()[whole.len() - 1]);
        let (leaf, test) = model.leaf_and_test(whole, ranges, cut.map(|cut| cut.value));
        match cut {
            Some(cut) if test < leaf => {
                let [below, from] =
                    halves(whole, cut.axis, cut.at).map(|half| self.tree(model, sides, &half, above + 1));
                FlatTree::test(cut.axis, self.grid.sample(cut.axis, cut.at), below, from)
            }
            _ => self.leaf(whole),
        }
    }

    /// Returns a box without a cut.
    pub(super) fn leaf(&self, whole: &[Range<usize>]) -> FlatTree {
        FlatTree::leaf((self.decide)(&self.grid.samples(whole)))
    }
}

impl Search<'_, SetId> {
    pub(super) fn fewest_leaves(&self, sets: &mut Sets) -> Result<Encoded, Problem> {
        if !self.is_line() {
            self.check_search_limit::<FewestLeaves<'_>>("the smallest tree", 1)?;
        }
        let (nodes, leaves) = self.smallest(sets);
        Ok(Encoded::new(&nodes, self.input, Some(leaves)))
    }

    /// Returns the tree with the fewest leaves, and its number of leaves.
    pub(in crate::encode) fn smallest(&self, sets: &mut Sets) -> (FlatTree, u64) {
        let lens = self.grid.lens();
        let long: Vec<usize> = (0..lens.len()).filter(|&axis| lens[axis] > 1).collect();
        if let [axis] = long[..] {
            return self.smallest_along(axis, sets);
        }
        let mut model = FewestLeaves(Uniform::new(&lens, self.grid.cells(), sets));
        let table = TreeCosts::best(&mut model, &lens);
        let whole = self.whole();
        (self.tree(&mut model, &|_| Some(&table), &whole, 0), table.value(&whole) as u64)
    }

    /// Returns the smallest tree along one axis: each leaf covers as many cells as have a decision in common.
    fn smallest_along(&self, axis: usize, sets: &mut Sets) -> (FlatTree, u64) {
        let runs = sets.longest_runs(self.grid.cells());
        let leaf = |range: &Range<usize>| {
            let mut whole = self.whole();
            whole[axis] = range.clone();
            self.leaf(&whole)
        };
        let leaves: Vec<FlatTree> = runs.iter().map(leaf).collect();
        let starts: Vec<usize> = runs.iter().map(|range| self.grid.sample(axis, range.start)).collect();
        (balanced(axis, &starts, &leaves), runs.len() as u64)
    }
}
