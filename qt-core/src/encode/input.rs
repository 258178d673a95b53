//! The input of every encoder.

use super::labels::KnownMethods;
use super::{Budget, SearchLimit};
use crate::domain::{MethodIndex, Requirement};
use crate::map::{DecisionMap, Ties};
use crate::problem::Problem;
use crate::shape::Shape;

/// The allowed methods of every cell and their costs.
#[derive(Debug)]
pub struct Input<'m> {
    pub(super) map: &'m DecisionMap,
    pub(super) shape: Shape,
    pub(super) candidates: Vec<MethodIndex>,
    restrictions: Restrictions,
    /// The methods within the budget, if it limits every cell.
    within_budget: Option<Ties>,
    pub(super) budget: Budget,
    pub(super) search_limit: SearchLimit,
}

/// The cells in which methods may run: where their requirements hold, and for labels that have them. Methods with the same requirements
/// share one entry.
#[derive(Debug)]
struct Restrictions {
    /// The position of each method's entry; `None` for a method that may run everywhere.
    of_method: Vec<Option<usize>>,
    /// Whether the methods of each entry may run, cell by cell.
    runs: Vec<Vec<bool>>,
    of_labels: Vec<KnownMethods>,
}

impl Restrictions {
    fn new(map: &DecisionMap) -> Self {
        let domain = map.domain();
        let mut known: Vec<&[Requirement]> = Vec::new();
        let mut runs = Vec::new();
        let of_method = domain.method_indexes().map(|index| {
            let requires = &domain.method(index).requires[..];
            if requires.is_empty() {
                return None;
            }
            Some(known.iter().position(|other| *other == requires).unwrap_or_else(|| {
                known.push(requires);
                runs.push(
                    (0..domain.cells()).map(|cell| domain.may_run(index, &domain.sizes(cell))).collect(),
                );
                known.len() - 1
            }))
        });
        Self { of_method: of_method.collect(), runs, of_labels: KnownMethods::of_map(map) }
    }

    fn may_run(&self, method: MethodIndex, cell: usize) -> bool {
        self.of_method[method.get()].is_none_or(|entry| self.runs[entry][cell])
            && self.of_labels.iter().all(|known| known.has(method, cell))
    }
}

impl<'m> Input<'m> {
    pub(super) fn new(
        map: &'m DecisionMap,
        budget: &Budget,
        search_limit: SearchLimit,
    ) -> Result<Self, Problem> {
        let restrictions = Restrictions::new(map);
        let candidates = map.candidates();
        let within_budget =
            budget.allowed(map, &candidates, |method, cell| restrictions.may_run(method, cell))?;
        Ok(Self {
            map,
            shape: map.shape(),
            candidates,
            restrictions,
            within_budget,
            budget: *budget,
            search_limit,
        })
    }

    /// Returns whether there is a method that may not run everywhere.
    pub(super) fn is_restricted(&self) -> bool {
        !self.restrictions.runs.is_empty() || !self.restrictions.of_labels.is_empty()
    }

    /// Returns whether a method may run in a cell, measured or not.
    pub(super) fn may_run(&self, method: MethodIndex, cell: usize) -> bool {
        self.restrictions.may_run(method, cell)
    }

    /// Returns all methods, in increasing order.
    pub(super) fn methods(&self) -> impl ExactSizeIterator<Item = MethodIndex> + use<> {
        self.map.domain().method_indexes()
    }

    /// Returns the acceptable methods of a cell, in increasing order; empty means unconstrained.
    pub(super) fn allowed(&self, cell: usize) -> &[MethodIndex] {
        match &self.within_budget {
            Some(within_budget) => within_budget.get(cell),
            None => self.map.acceptable_methods(cell),
        }
    }

    /// Returns the lowest cost of any candidate in a cell.
    pub(super) fn best_cost(&self, cell: usize) -> Option<f64> {
        self.map.costs()?.best(cell, &self.candidates)
    }
}
