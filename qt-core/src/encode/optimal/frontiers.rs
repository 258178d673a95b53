//! The minimum number of leaves that keeps penalties within a budget, where Lagrangian bounds leave a gap.
//!
//! With a price per leaf, a tree with at most this many leaves and with penalties within the budget costs at most a
//! limit: the budget plus the price of its leaves. A box can be part of such a tree only if its own best tree and the best tree
//! of everything around it stay within the limit together. The dynamic program over numbers of leaves (the lowest penalty of a box
//! with one leaf, with two, and so on) considers only these boxes and numbers. Handler and Zang, "A dual algorithm for the
//! constrained shortest path problem", Networks 10, 1980, close the gaps of the Lagrange multiplier in the same way.

use std::ops::Range;

use super::guillotine::{CostModel, Outer, Ranges, TreeCosts, cuts, halves};
use super::objectives::LeastCost;
use super::search::Search;
use crate::encode::SearchLimit;
use crate::tree::FlatTree;

/// The limits of the trees to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The maximum number of leaves.
    pub(super) leaves: usize,
    /// The maximum sum of their penalties.
    pub(super) budget: f64,
    /// The price of a leaf in the table of best trees.
    pub(super) price: f64,
}

/// For each relevant box, the possible numbers of leaves and the minimum sum of penalties for each. Each sum is lower than those for
/// fewer leaves.
pub(super) struct Frontiers<'t> {
    table: &'t TreeCosts<LeastCost>,
    /// The number of each box's list, counted from 1.
    numbers: Vec<u32>,
    lists: Vec<Vec<(usize, f64)>>,
}

/// The duration of a step, relative to one that fills a table.
const STEPS: u64 = 8;

/// The tolerance for sums computed in another order, which differ in their last digits.
const ROUNDING: f64 = 1e-9;

impl<'t> Frontiers<'t> {
    /// Creates the lists of all boxes that can be part of a wanted tree; `table` holds the best trees at the price.
    /// `work` is the remaining search limit. Returns `None` if it is exceeded.
    pub(super) fn new(
        table: &'t TreeCosts<LeastCost>,
        model: &mut LeastCost,
        lens: &[usize],
        wanted: Wanted,
        work: &mut SearchLimit,
    ) -> Option<Self> {
        let limit = wanted.budget + wanted.price * wanted.leaves as f64;
        let limit = limit + ROUNDING * limit.abs();
        let ranges = Ranges::new(lens[lens.len() - 1]);
        let (outer, inner) = (Outer::new(lens).all(), ranges.all().collect::<Vec<_>>());
        let boxed =
            |place: usize| [&outer[place / inner.len()][..], &[inner[place % inner.len()].clone()]].concat();
        // The memory for the places, the costs around them, and the numbers and heads of their lists.
        let each = size_of::<usize>() + size_of::<f64>() + size_of::<u32>() + size_of::<Vec<(usize, f64)>>();
        *work = work.less(0, table.values().len() * each)?;
        let (kept, around) = within(table, limit, &boxed, work)?;

        model.leaf = 0.0;
        let mut frontiers = Self { table, numbers: vec![0; table.values().len()], lists: Vec::new() };
        let mut leaves = vec![LeastCost::INFEASIBLE; ranges.count()];
        let mut plane = None;
        let mut least = vec![f64::INFINITY; wanted.leaves + 1];
        for place in kept.into_iter().rev() {
            let mut whole = boxed(place);
            if plane != Some(place / inner.len()) {
                plane = Some(place / inner.len());
                model.leaves(&whole[..lens.len() - 1], ranges, &mut leaves);
            }
            least.fill(f64::INFINITY);
            least[1] = leaves[place % inner.len()];
            let mut taken = 0;
            for (axis, at) in cuts(&whole.clone()) {
                let [below, from] = table.halves(&mut whole, axis, at).map(|half| frontiers.list(half));
                for &(some, penalty) in below {
                    let room = wanted.leaves - some;
                    for &(more, other) in from.iter().take_while(|(more, _)| *more <= room) {
                        let sum = penalty + other;
                        least[some + more] = if sum < least[some + more] { sum } else { least[some + more] };
                    }
                }
                taken += (below.len() * from.len()) as u64;
            }
            let listed = frontiers.add(place, &least, |leaves, penalty| {
                around[place] + penalty + wanted.price * leaves as f64 <= limit
            });
            *work = work.less(STEPS * taken, listed * size_of::<(usize, f64)>())?;
        }
        Some(frontiers)
    }

    fn add(&mut self, place: usize, least: &[f64], is_within: impl Fn(usize, f64) -> bool) -> usize {
        let (mut list, mut before) = (Vec::new(), f64::INFINITY);
        for (leaves, &penalty) in least.iter().enumerate() {
            if penalty < before && is_within(leaves, penalty) {
                list.push((leaves, penalty));
            }
            before = before.min(penalty);
        }
        let listed = list.len();
        if listed > 0 {
            self.lists.push(list);
            self.numbers[place] = self.lists.len() as u32;
        }
        listed
    }

    fn list(&self, place: usize) -> &[(usize, f64)] {
        match self.numbers[place] {
            0 => &[],
            number => &self.lists[number as usize - 1],
        }
    }

    /// Returns the minimum number of leaves of a tree of the box within the budget, if there is one.
    pub(super) fn fewest(&self, whole: &[Range<usize>], budget: f64) -> Option<usize> {
        let list = self.list(self.table.place(whole));
        list.iter().find(|(_, penalty)| *penalty <= budget).map(|(leaves, _)| *leaves)
    }

    pub(super) fn tree<C: Copy>(
        &self,
        search: &Search<'_, C>,
        whole: &[Range<usize>],
        leaves: usize,
    ) -> FlatTree {
        let Some((axis, at, some)) = self.best_cut(whole, leaves) else { return search.leaf(whole) };
        let [below, from] = halves(whole, axis, at);
        let (below, from) = (self.tree(search, &below, some), self.tree(search, &from, leaves - some));
        FlatTree::test(axis, search.grid.sample(axis, at), below, from)
    }

    /// Returns the best cut of a box into trees with this many leaves together, and the leaves of the lower tree. On a tie, returns the
    /// cut whose more expensive side is cheapest. Returns `None` for a leaf.
    fn best_cut(&self, whole: &[Range<usize>], leaves: usize) -> Option<(usize, usize, usize)> {
        if leaves < 2 {
            return None;
        }
        let mut scratch = whole.to_vec();
        let mut best: Option<((usize, usize, usize), f64, f64)> = None;
        for (axis, at) in cuts(whole) {
            let [below, from] = self.table.halves(&mut scratch, axis, at).map(|half| self.list(half));
            for &(some, penalty) in below {
                let rest = from.iter().find(|(more, _)| some + *more == leaves);
                let Some(&(_, other)) = rest else { continue };
                let (sum, dearer) = (penalty + other, penalty.max(other));
                if best.is_none_or(|(_, least, side)| sum < least || (sum == least && dearer < side)) {
                    best = Some(((axis, at, some), sum, dearer));
                }
            }
        }
        best.map(|(cut, ..)| cut)
    }
}

/// Returns the places of the boxes that stay within the limit, the largest first, with the minimum cost around each.
fn within(
    table: &TreeCosts<LeastCost>,
    limit: f64,
    boxed: &impl Fn(usize) -> Vec<Range<usize>>,
    work: &mut SearchLimit,
) -> Option<(Vec<usize>, Vec<f64>)> {
    let values = table.values();
    let mut around = vec![f64::INFINITY; values.len()];
    around[values.len() - 1] = 0.0;
    let mut kept = Vec::new();
    for place in (0..values.len()).rev() {
        let here = around[place];
        if here + values[place] > limit {
            continue;
        }
        kept.push(place);
        let mut whole = boxed(place);
        let mut taken = 0;
        for (axis, at) in cuts(&whole.clone()) {
            let [below, from] = table.halves(&mut whole, axis, at);
            if here + values[below] + values[from] <= limit {
                around[below] = around[below].min(here + values[from]);
                around[from] = around[from].min(here + values[below]);
            }
            taken += 1;
        }
        *work = work.less(STEPS * taken, 0)?;
    }
    Some((kept, around))
}

#[cfg(test)]
mod tests {
    use super::super::guillotine::boxes;
    use super::*;

    /// Returns the costs of three methods in each cell of a grid, from a fixed sequence of numbers.
    fn costs(cells: usize) -> Vec<Vec<f64>> {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / 1e5
        };
        (0..3).map(|_| (0..cells).map(|_| next()).collect()).collect()
    }

    /// Returns the minimum sum of a box with at most this many leaves, by trying all cuts.
    fn tried(model: &mut LeastCost, whole: &[Range<usize>], last: usize, leaves: usize) -> f64 {
        let (leaf, _) = model.leaf_and_test(whole, Ranges::new(last), None);
        let mut least = leaf;
        for (axis, at) in cuts(whole) {
            let [below, from] = halves(whole, axis, at);
            for some in 1..leaves {
                let sum = tried(model, &below, last, some) + tried(model, &from, last, leaves - some);
                least = least.min(sum);
            }
        }
        least
    }

    #[test]
    fn the_least_penalty_of_so_many_leaves_is_kept() {
        let lens = [3, 4];
        let mut model = LeastCost::new(&lens, 0.0, &costs(12));
        let whole = [0..3, 0..4];
        for leaves in 2..5 {
            model.leaf = 0.0;
            let budget = tried(&mut model, &whole, 4, leaves);
            for price in [10.0, 50.0, 200.0] {
                model.leaf = price;
                let table = TreeCosts::best(&mut model, &lens);
                let wanted = Wanted { leaves, budget, price };
                let mut work = SearchLimit::COMMAND;
                let frontiers = Frontiers::new(&table, &mut model, &lens, wanted, &mut work).unwrap();
                assert_eq!(frontiers.fewest(&whole, budget), Some(leaves), "{leaves} at {price}");
                assert_eq!(frontiers.fewest(&whole, budget * 0.99), None, "{leaves} at {price}");
            }
        }
    }

    /// On a thousand cells, the program over numbers of leaves takes a thousandth of the steps for all boxes and numbers.
    #[test]
    fn few_boxes_matter() {
        let lens = [32, 32];
        let mut model = LeastCost::new(&lens, 0.0, &costs(1024));
        let price = 40.0;
        model.leaf = price;
        let table = TreeCosts::best(&mut model, &lens);
        let whole = [0..32, 0..32];
        // The best tree has hundreds of leaves; the budget is one that it misses by half a leaf.
        let leaves = 300;
        let budget = table.value(&whole) - price * (leaves as f64 - 0.5);
        let wanted = Wanted { leaves, budget, price };
        let steps = |allowed: u64| {
            let mut work = SearchLimit::COMMAND.less(SearchLimit::COMMAND.steps() - allowed, 0).unwrap();
            Frontiers::new(&table, &mut LeastCost::new(&lens, price, &costs(1024)), &lens, wanted, &mut work)
        };
        let all = boxes(&lens) as u64 * (leaves as u64).pow(2);
        assert!(steps(all / 1000).is_some());
        assert!(steps(100).is_none(), "work that is not allowed is not done");
    }
}
