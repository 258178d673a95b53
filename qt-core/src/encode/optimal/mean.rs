//! The smallest tree whose mean penalty is within a budget.
//!
//! Trees that are optimal for some price per leaf (a Lagrange multiplier) bound the number of leaves from both sides: the
//! dual gives a lower bound, and the trees within the budget give an upper bound. If the bounds differ, a dynamic program over
//! the number of leaves closes the gap, as far as the search limit allows: see `frontiers`.

use std::ops::Range;

use super::frontiers::{Frontiers, Wanted};
use super::guillotine::{self, TreeCosts};
use super::leaf_costs::LeafCosts;
use super::objectives::LeastCost;
use super::search::Search;
use crate::encode::grid::Grid;
use crate::encode::{Encoded, Input};
use crate::fixed_point::{OF_PERCENT, Units};
use crate::message::Message;
use crate::problem::{Place, Problem};

pub(super) fn encode(input: &Input<'_>, mean: f64) -> Result<Encoded, Problem> {
    LeafCosts::check_search_limit(input, WHAT, instead())?;
    let leaf_costs = LeafCosts::from_penalties(input);
    let measured = || (0..input.shape.cells()).filter(|&cell| !input.allowed(cell).is_empty());
    let calls: f64 = measured().map(|cell| input.map.weight(cell)).sum();
    // The product is rounded, and the least cost may be the budget itself.
    if leaf_costs.least() > mean * calls * (1.0 + f64::EPSILON) {
        let least = leaf_costs.least() / calls;
        let message = format!("the mean penalty cannot be less than {least:.4} %");
        return Err(Problem::new(Place::File, message).help("allow a larger budget"));
    }
    // No price of a leaf is above the budget, so no sum is above that of a leaf for every cell.
    let leaves = input.shape.cells() as f64 + 2.0;
    let a_call = if calls > 0.0 { calls / measured().count() as f64 } else { 1.0 };
    let units = Units::for_sums(mean * calls * leaves, OF_PERCENT * a_call);
    let budget = units.count(mean * calls);
    let leaf_costs = leaf_costs.in_units(units, budget);
    let least = leaf_costs.least();
    if least >= budget {
        // Nothing is left to spend: every cell must take its cheapest choice.
        return Ok(Bounded::new(input, &leaf_costs.only_least(), budget)?.fewest_leaves());
    }
    Ok(Bounded::new(input, &leaf_costs, budget)?.encode())
}

const WHAT: &str = "the smallest tree within a mean budget";

/// Another encoding that keeps a mean budget.
fn instead() -> Message {
    Message::set("encoding", "greedy")
}

/// The maximum number of leaf prices to try; usually a handful is enough.
const PRICES: u32 = 16;

/// The search for a tree whose cells' penalties sum to at most a budget. All costs and prices are counted in units.
struct Bounded<'s, 'm> {
    input: &'s Input<'m>,
    leaf_costs: &'s LeafCosts,
    budget: f64,
    grid: Grid<usize>,
    model: LeastCost,
}

/// A tree that is optimal for some price per leaf.
struct Priced {
    tree: Encoded,
    leaves: f64,
    penalty: f64,
    /// The sum of penalties and prices.
    value: f64,
}

impl<'s, 'm> Bounded<'s, 'm> {
    fn new(input: &'s Input<'m>, leaf_costs: &'s LeafCosts, budget: f64) -> Result<Self, Problem> {
        let (grid, of_cells) = leaf_costs.merged(input.shape.lens());
        let lens = grid.lens();
        let leaves = guillotine::boxes(&lens) * input.methods().len() as u128;
        let steps = (guillotine::steps(&lens) + leaves) * u128::from(PRICES);
        input.search_limit.check(WHAT, instead(), &lens, steps, Self::bytes(&lens))?;
        let model = LeastCost::new(&lens, 0.0, &of_cells);
        Ok(Self { input, leaf_costs, budget, grid, model })
    }

    /// Returns the bytes of the model and of a table.
    fn bytes(lens: &[usize]) -> u128 {
        guillotine::bytes::<LeastCost>(lens, 1)
    }

    fn fewest_leaves(mut self) -> Encoded {
        self.at_price(1.0).tree.proven_optimal()
    }

    fn encode(mut self) -> Encoded {
        // At this price, a leaf costs more than any penalties within the budget.
        let mut beyond = self.at_price(1.0 + self.budget);
        if beyond.penalty <= self.budget {
            return beyond.tree.proven_optimal();
        }
        // At this price, a leaf for every cell costs less than is left to spend.
        let cells = self.grid.cells().len() as f64;
        let mut within = self.at_price(((self.budget - self.leaf_costs.least()) / (2.0 * cells)).floor());
        let mut bound = beyond.leaves + 1.0;
        // The price with the highest bound, and that bound.
        let mut best = (0.0, f64::NEG_INFINITY);
        for _ in 0..PRICES {
            // A whole number of units, so that sums stay exact.
            let price =
                ((beyond.penalty - within.penalty) / (within.leaves - beyond.leaves)).round().max(1.0);
            let between = self.at_price(price);
            let dual = (between.value - self.budget) / price;
            best = if dual > best.1 { (price, dual) } else { best };
            bound = bound.max(dual);
            if between.value >= (within.penalty + price * within.leaves) * (1.0 - 1e-9) {
                break;
            }
            let side = if between.penalty <= self.budget { &mut within } else { &mut beyond };
            *side = between;
        }
        let bound = (bound - 1e-6).ceil();
        if bound >= within.leaves {
            return within.tree.proven_optimal();
        }
        let leaves = bound as usize..within.leaves as usize;
        match self.between(best.0, leaves) {
            Ok(fewer) => fewer.unwrap_or(within.tree).proven_optimal(),
            Err(bound) => Encoded { lower_bound: Some(bound as u64), ..within.tree },
        }
    }

    /// Returns the optimal tree at this price per leaf.
    fn at_price(&mut self, price: f64) -> Priced {
        self.model.leaf = price;
        let lens = self.grid.lens();
        let table = TreeCosts::best(&mut self.model, &lens);
        let decide = |samples: &[Range<usize>]| self.leaf_costs.decision(self.input, samples);
        let search = Search { input: self.input, grid: &self.grid, decide: &decide };
        let tree = search.encoded(&mut self.model, &|_| Some(&table));
        let decisions = tree.nodes.cells(self.input.shape.lens());
        let value = table.value(&lens.iter().map(|&len| 0..len).collect::<Vec<_>>());
        Priced { leaves: tree.leaves as f64, penalty: self.leaf_costs.total(&decisions), value, tree }
    }

    /// Returns the smallest tree within the budget that has this many leaves, if there is one. If that takes too much work, returns the
    /// minimum number of leaves that such a tree may have.
    fn between(&mut self, price: f64, leaves: Range<usize>) -> Result<Option<Encoded>, usize> {
        let lens = self.grid.lens();
        let whole: Vec<_> = lens.iter().map(|&len| 0..len).collect();
        self.model.leaf = price;
        let table = TreeCosts::best(&mut self.model, &lens);
        let whole_limit = self.input.search_limit.less(0, Self::bytes(&lens) as usize).ok_or(leaves.start)?;
        let mut work = whole_limit;
        // With few leaves more than the bound, most boxes can be skipped.
        let (mut least, mut more) = (leaves.start, 1);
        while least < leaves.end {
            let end = leaves.end.min(least + more);
            let wanted = Wanted { leaves: end - 1, budget: self.budget, price };
            let frontiers = Frontiers::new(&table, &mut self.model, &lens, wanted, &mut work).ok_or(least)?;
            if let Some(fewest) = frontiers.fewest(&whole, self.budget) {
                let decide = |samples: &[Range<usize>]| self.leaf_costs.decision(self.input, samples);
                let search = Search { input: self.input, grid: &self.grid, decide: &decide };
                let nodes = frontiers.tree(&search, &whole, fewest);
                return Ok(Some(Encoded::new(&nodes, self.input, None)));
            }
            (least, more) = (end, 2 * more);
            work = work.freed(whole_limit);
        }
        Ok(None)
    }
}
