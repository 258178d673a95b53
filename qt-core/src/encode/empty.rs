//! Cells in which nothing was measured.

use crate::domain::{Domain, Method, MethodIndex};
use crate::map::{Calls, Costs, DecisionMap, Ties};
use crate::problem::{Place, Problem, Problems};

/// The treatment of cells in which nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Empty {
    /// They take the decision of their region, which makes trees smaller. They have no decision only if a whole region is empty.
    #[default]
    Filled,
    /// They have no decision: the body of the function answers, or `None`.
    Strict,
}

impl Empty {
    /// All treatments, with their names in options.
    pub const ALL: [(&'static str, Self); 2] = [("filled", Self::Filled), ("strict", Self::Strict)];
}

pub(super) struct Marked {
    pub(super) map: DecisionMap,
    pub(super) mark: MethodIndex,
}

impl Marked {
    /// Marks the empty cells of a map. They have no weight in a mean.
    pub(super) fn new(map: &DecisionMap) -> Result<Self, Problems> {
        let domain = map.domain();
        let mut name = "nothing measured".to_owned();
        while domain.find_method(&name).is_some() {
            name.push('_');
        }
        let methods: Vec<Method> =
            domain.methods().iter().cloned().chain([Method::new(name.clone())]).collect();
        let count = methods.len();
        let collective = domain.collective().map(str::to_owned);
        let marked = Domain::new(collective, domain.axes().to_vec(), methods)?;
        let mark = marked.find_method(&name).expect("it was added");
        let cells = || map.cells().iter().enumerate();
        let mut result =
            DecisionMap::new(marked, cells().map(|(_, method)| method.or(Some(mark))).collect())?;
        if let Some(ties) = map.ties() {
            let of_cell = |(cell, method): (usize, &Option<MethodIndex>)| {
                if method.is_some() { ties.get(cell).to_vec() } else { vec![mark] }
            };
            result = result.with_ties(Ties::new(cells().map(of_cell)))?;
        }
        if let Some(costs) = map.costs() {
            let values = cells().flat_map(|(cell, method)| {
                let is_empty = method.is_none();
                let measured =
                    domain.method_indexes().map(move |other| costs.get(cell, other).filter(|_| !is_empty));
                measured.chain([is_empty.then_some(1.0)])
            });
            result = result.with_costs(Costs::new(count, values))?;
        }
        if map.cells().iter().any(Option::is_some) {
            let calls = cells().map(|(cell, method)| method.map_or(0.0, |_| map.weight(cell)));
            result = result.with_calls(Calls::new(calls))?;
        }
        Ok(Self { map: result, mark })
    }
}

/// Checks that empty cells have no decision, and that all others have one.
pub(super) fn check(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Result<(), Problem> {
    let differ = decisions.iter().zip(map.cells()).filter(|(one, other)| one.is_some() != other.is_some());
    match differ.count() {
        0 => Ok(()),
        cells => {
            let cells = if cells == 1 { "a cell".to_owned() } else { format!("{cells} cells") };
            let message = format!("the tree does not separate {cells} in which nothing was measured");
            Err(Problem::new(Place::File, message).help(
                "a limit on the depth, a threshold, `lambda` or `c45` may join such cells to others: remove \
                     them, or `empty`",
            ))
        }
    }
}
