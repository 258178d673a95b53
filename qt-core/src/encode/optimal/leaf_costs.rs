//! Costs of every choice in every cell, for encoders that allow errors.

use std::ops::Range;

use crate::domain::MethodIndex;
use crate::encode::Input;
use crate::encode::boxes::{cells, cheapest_of};
use crate::encode::grid::Grid;
use crate::encode::sets::Choice;
use crate::fixed_point::Units;
use crate::map::percent;
use crate::message::Message;
use crate::problem::Problem;

/// The cost of every choice in every cell; the sum over a box is the cost of the box as a leaf. [In units](Self::in_units), the sums do
/// not depend on the order of addition.
pub(super) struct LeafCosts {
    choices: Vec<Choice>,
    /// For each choice, the cost in each cell, row-major; infinite if the choice is not allowed.
    costs: Vec<Vec<f64>>,
}

impl LeafCosts {
    /// Returns an error if the costs of every choice in every cell, and a copy without repeated slices, would exceed the search limit.
    pub(super) fn check_search_limit(input: &Input<'_>, what: &str, instead: Message) -> Result<(), Problem> {
        let costs = input.shape.cells() as u128 * (input.methods().len() as u128 + 1);
        let bytes = costs * 2 * size_of::<f64>() as u128;
        input.search_limit.check(what, instead, input.shape.lens(), costs, bytes)
    }

    /// Creates costs from mismatches: the calls for which a method is not acceptable, times `each`.
    pub(super) fn from_mismatches(input: &Input<'_>, each: f64) -> Self {
        Self::new(input, |cell, method| {
            let right = input.allowed(cell).binary_search(&method).is_ok();
            if right { 0.0 } else { each * input.map.weight(cell) }
        })
    }

    /// Creates costs from penalties in per cent, times the calls; infinite for a method that is not allowed.
    pub(super) fn from_penalties(input: &Input<'_>) -> Self {
        Self::new(input, |cell, method| {
            let cost = input.map.costs().and_then(|costs| costs.get(cell, method));
            match (cost, input.best_cost(cell)) {
                (Some(cost), Some(best)) if input.allowed(cell).binary_search(&method).is_ok() => {
                    input.map.weight(cell) * percent(cost, best).max(0.0)
                }
                _ => f64::INFINITY,
            }
        })
    }

    fn new(input: &Input<'_>, cost_of: impl Fn(usize, MethodIndex) -> f64) -> Self {
        let mut useful = vec![false; input.methods().len()];
        let all = 0..input.shape.cells();
        all.clone().flat_map(|cell| input.allowed(cell)).for_each(|method| useful[method.get()] = true);
        if input.is_restricted() {
            // A method that is right nowhere may be the only one that may run in all cells of a box.
            input.candidates.iter().for_each(|method| useful[method.get()] = true);
        }
        let methods = input.methods().filter(|method| useful[method.get()]).map(Choice::Method);
        // Without the choice of no decision, an empty cell would exclude methods that may not run there.
        let choices: Vec<Choice> = methods.chain([Choice::Unmapped]).collect();
        let of = |choice: Choice, cell: usize| match (choice, input.allowed(cell).is_empty()) {
            (Choice::Unmapped, false) => f64::INFINITY,
            (Choice::Method(method), _) if !input.may_run(method, cell) => f64::INFINITY,
            (_, true) => 0.0,
            (Choice::Method(method), false) => cost_of(cell, method),
        };
        let leaf_costs =
            choices.iter().map(|&choice| all.clone().map(|cell| of(choice, cell)).collect()).collect();
        Self { choices, costs: leaf_costs }
    }

    /// Counts the costs in units. A cost above `most` becomes infinite.
    pub(super) fn in_units(mut self, units: Units, most: f64) -> Self {
        for cost in self.costs.iter_mut().flatten() {
            let count = units.count(*cost);
            *cost = if count <= most { count } else { f64::INFINITY };
        }
        self
    }

    /// Keeps only the cheapest choices of each cell, at no cost.
    pub(super) fn only_least(mut self) -> Self {
        for cell in 0..self.costs[0].len() {
            let least = self.costs.iter().map(|of| of[cell]).fold(f64::INFINITY, f64::min);
            for of in &mut self.costs {
                of[cell] = if of[cell] == least { 0.0 } else { f64::INFINITY };
            }
        }
        self
    }

    /// Returns the minimum total cost, with each cell decided separately.
    pub(super) fn least(&self) -> f64 {
        let cells = 0..self.costs[0].len();
        cells.map(|cell| self.costs.iter().map(|of| of[cell]).fold(f64::INFINITY, f64::min)).sum()
    }

    /// Returns the total cost of these decisions, one for each cell.
    pub(super) fn total(&self, decisions: &[Option<MethodIndex>]) -> f64 {
        let cost_of = |(cell, decision): (usize, &Option<MethodIndex>)| {
            let choice = decision.map_or(Choice::Unmapped, Choice::Method);
            let place = self.choices.binary_search(&choice);
            place.map_or(f64::INFINITY, |place| self.costs[place][cell])
        };
        decisions.iter().enumerate().map(cost_of).sum()
    }

    /// Returns the grid without slices that equal their neighbours, and for each choice the costs of its cells.
    pub(super) fn merged(&self, lens: &[usize]) -> (Grid<usize>, Vec<Vec<f64>>) {
        let same = |(one, other): (usize, usize)| self.costs.iter().all(|of| of[one] == of[other]);
        // Each cell is one that has its costs.
        let grid = Grid::new(lens, (0..lens.iter().product()).collect());
        let grid = grid.merged(|one, other| {
            one.iter().copied().zip(other.iter().copied()).all(same).then(|| one.to_vec())
        });
        let copies = grid.copies();
        let of_cells = |of: &Vec<f64>| {
            let cells = grid.cells().iter().zip(&copies);
            cells.map(|(&cell, &copies)| of[cell] * copies as f64).collect()
        };
        let leaf_costs = self.costs.iter().map(of_cells).collect();
        (grid, leaf_costs)
    }

    /// Returns the choice with the minimum cost over a box; on a tie, the one with the lowest mean cost, as [`cheapest_of`] finds it.
    pub(super) fn decision(&self, input: &Input<'_>, samples: &[Range<usize>]) -> Option<MethodIndex> {
        let cells = cells(input.shape.lens(), samples);
        if cells.iter().all(|&cell| input.allowed(cell).is_empty()) {
            return None;
        }
        let sum = |leaf_costs: &Vec<f64>| cells.iter().map(|&cell| leaf_costs[cell]).sum::<f64>();
        let sums: Vec<f64> = self.costs.iter().map(sum).collect();
        let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
        let cheapest: Vec<MethodIndex> = self
            .choices
            .iter()
            .zip(&sums)
            .filter_map(|(choice, &sum)| match choice {
                Choice::Method(method) if sum <= least => Some(*method),
                _ => None,
            })
            .collect();
        Some(cheapest_of(input, &cheapest, &|take| cells.iter().all(|&cell| take(cell, 1.0))))
    }
}
