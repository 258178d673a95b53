//! What every encoder is given.

use crate::domain::{Domain, MethodIndex, Requirement};
use crate::map::{Costs, DecisionMap};
use crate::penalty;
use crate::shape::Shape;

/// Per cell the set of allowed methods, and what they cost.
#[derive(Debug)]
pub struct Input<'m> {
    map: &'m DecisionMap,
    shape: Shape,
    choosable: Vec<MethodIndex>,
    restrictions: Restrictions,
}

/// Where methods may run; those that require the same share one entry.
#[derive(Debug)]
struct Restrictions {
    /// For each method the position of its entry; none for a method that may run everywhere.
    of_method: Vec<Option<usize>>,
    /// Whether such methods may run, cell by cell.
    runs: Vec<Vec<bool>>,
}

impl Restrictions {
    fn of(domain: &Domain) -> Self {
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
        Self { of_method: of_method.collect(), runs }
    }
}

impl<'m> Input<'m> {
    pub(super) fn of(map: &'m DecisionMap) -> Self {
        let restrictions = Restrictions::of(map.domain());
        Self { map, shape: map.shape(), choosable: map.choosable(), restrictions }
    }

    /// Whether there is a method that may not run everywhere.
    pub(super) fn is_restricted(&self) -> bool {
        !self.restrictions.runs.is_empty()
    }

    /// Whether a method may run in a cell, measured or not.
    pub(super) fn may_run(&self, method: MethodIndex, cell: usize) -> bool {
        self.restrictions.of_method[method.get()].is_none_or(|entry| self.restrictions.runs[entry][cell])
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All methods, in increasing order.
    pub(super) fn methods(&self) -> impl ExactSizeIterator<Item = MethodIndex> + use<> {
        self.map.domain().method_indexes()
    }

    /// The methods that are right in a cell, in increasing order; none where any will do.
    pub(super) fn allowed(&self, cell: usize) -> &'m [MethodIndex] {
        self.map.right_methods(cell)
    }

    pub(super) fn costs(&self) -> Option<&'m Costs> {
        self.map.costs()
    }

    /// The methods that may be chosen at all.
    pub(super) fn choosable(&self) -> &[MethodIndex] {
        &self.choosable
    }

    /// The least cost in a cell of any method that may be chosen.
    pub(super) fn best_cost(&self, cell: usize) -> Option<f64> {
        penalty::best(self.costs()?, cell, &self.choosable)
    }
}
