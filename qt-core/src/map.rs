//! The decision map, which holds the best method at every point of the grid.

mod calls;
#[cfg(feature = "tools")]
pub mod combine;
mod contradiction;
mod costs;
mod fallback;
#[cfg(feature = "tools")]
mod from_costs;
mod part;
mod placeholder;
mod read;
mod ties;
#[cfg(feature = "tools")]
mod write;

pub use calls::Calls;
pub use costs::Costs;
pub(crate) use costs::percent;
pub use ties::Ties;

use crate::borders::Borders;
use crate::domain::{Domain, MethodIndex};
use crate::json::PlacedValue;
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Path, Problem, Problems};
use crate::shape::Shape;

/// The name and version of the file format.
pub const FORMAT: &str = "qtdec-map/1";

/// The best method at every point of the grid; 2006 paper, Table 2.
///
/// Every existing map is valid: all indexes are in range and all parts have the shape of the grid. Cells are listed in row-major
/// order, in which the last axis varies fastest.
///
/// ```
/// use qtdec_core::{Axis, Borders, DecisionMap, Domain, Method};
///
/// let axes = vec![Axis::new("comm_size", [2, 4, 8]), Axis::new("msg_size", [1, 1024])];
/// let methods = vec![Method::new("binomial"), Method::new("ring")];
/// let domain = Domain::new(Some("bcast".to_owned()), axes, methods)?;
/// let ids: Vec<_> = domain.method_indexes().map(Some).collect();
/// let (binomial, ring) = (ids[0], ids[1]);
///
/// let map = DecisionMap::new(domain, vec![binomial, binomial, binomial, ring, ring, ring])?;
/// assert_eq!(map.decide(&[4, 999], Borders::Floor), binomial);
/// assert_eq!(map.decide(&[1000, 1024], Borders::Floor), ring);
/// # Ok::<(), qtdec_core::Problems>(())
/// ```
#[derive(Clone, Debug)]
pub struct DecisionMap {
    domain: Domain,
    cells: Vec<Option<MethodIndex>>,
    ties: Option<Ties>,
    costs: Option<Costs>,
    calls: Option<Calls>,
    source: Option<String>,
    recipe: Option<String>,
    fallback: Option<MethodIndex>,
    is_placeholder: bool,
}

impl DecisionMap {
    /// Creates a map of `cells`, row-major; `None` where nothing was measured.
    ///
    /// # Errors
    ///
    /// Returns an error for too few or too many cells, an index that is not a method of the domain, or a method where it may not run.
    pub fn new(domain: Domain, cells: Vec<Option<MethodIndex>>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let shape = Shape::new(domain.shape());
        let path = Path::root().key("cells");
        let count = domain.methods().len();
        if cells.len() != shape.cells() {
            let message = format!("{} cells for a grid of {}", cells.len(), shape.cells());
            check.add(Problem::new(path.clone(), message));
        }
        for (offset, index) in cells.iter().enumerate() {
            let place = || path.indices(&shape.samples(offset));
            match *index {
                Some(index) if index.get() >= count => {
                    check.add_with(|| out_of_range(&place(), index.get() as u64, count));
                }
                Some(index) if offset < domain.cells() => {
                    check_may_run(&domain, index, offset, place, &mut check);
                }
                _ => {}
            }
        }
        let (ties, costs, calls) = (None, None, None);
        let (source, recipe, fallback, is_placeholder) = (None, None, None, false);
        let map = Self { domain, cells, ties, costs, calls, source, recipe, fallback, is_placeholder };
        let mut map = check.finish(Some(map))?;
        map.fallback = map.find_fallback();
        Ok(map)
    }

    /// Adds, for every cell, all methods that are as good as the best.
    ///
    /// # Errors
    ///
    /// Returns an error for ties that have another shape, or that lack the method of their cell.
    pub fn with_ties(mut self, ties: Ties) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        ties.check(&self, &mut check);
        self.ties = Some(ties);
        check.finish(Some(self))
    }

    /// Adds the cost of every method in every cell.
    ///
    /// # Errors
    ///
    /// Returns an error for costs that have another shape, or that are not finite and above 0.
    pub fn with_costs(mut self, costs: Costs) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        costs.check(&self, &mut check);
        check.finish(Some(()))?;
        self.costs = Some(costs);
        self.fallback = self.find_fallback();
        Ok(self)
    }

    /// Adds the number of calls of every cell.
    ///
    /// # Errors
    ///
    /// Returns an error for calls that have another shape, that are negative, or that are 0 in all measured cells.
    pub fn with_calls(mut self, calls: Calls) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        calls.check(&self, &mut check);
        check.finish(Some(()))?;
        self.calls = Some(calls);
        self.fallback = self.find_fallback();
        Ok(self)
    }

    /// Adds a description of the map's origin: any JSON.
    ///
    /// # Errors
    ///
    /// Returns an error for text that is not JSON.
    pub fn with_source(mut self, json: impl Into<String>) -> Result<Self, Problems> {
        let json = json.into();
        PlacedValue::parse(&json)?;
        self.source = Some(json);
        Ok(self)
    }

    /// Adds the options with which the map was made from times: a JSON object, whose members are those of the maker.
    ///
    /// # Errors
    ///
    /// Returns an error for text that is not a JSON object.
    pub fn with_recipe(mut self, json: impl Into<String>) -> Result<Self, Problems> {
        let json = json.into();
        let mut check = Diagnostics::default();
        PlacedValue::parse(&json)?.members(&mut check);
        self.recipe = Some(json);
        check.finish(Some(self))
    }

    /// Returns the axes and methods.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns the method of every cell, row-major; `None` where nothing was measured.
    pub fn cells(&self) -> &[Option<MethodIndex>] {
        &self.cells
    }

    /// Returns, for every cell, all methods that are as good as the best, if the map has them.
    pub fn ties(&self) -> Option<&Ties> {
        self.ties.as_ref()
    }

    /// Returns the cost of every method in every cell, if the map has costs.
    pub fn costs(&self) -> Option<&Costs> {
        self.costs.as_ref()
    }

    /// Returns the number of calls of every cell, if the map has it.
    pub fn calls(&self) -> Option<&Calls> {
        self.calls.as_ref()
    }

    /// Returns the weight of a cell relative to the others: its calls, or the same for all cells.
    pub fn weight(&self, cell: usize) -> f64 {
        self.calls.as_ref().map_or(1.0, |calls| calls.get(cell))
    }

    /// Returns the origin of the map, as JSON.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Returns the options with which the map was made from times, as a JSON object, if the map has them.
    pub fn recipe(&self) -> Option<&str> {
        self.recipe.as_deref()
    }

    /// Returns whether the times were fitted to terms of cost, as the recipe says. Such times step at samples.
    pub fn is_fitted(&self) -> bool {
        let recipe = self.recipe().and_then(|json| PlacedValue::parse(json).ok());
        let recipe = recipe.and_then(|recipe| recipe.members(&mut Diagnostics::default()));
        recipe.is_some_and(|members| members.iter().any(|(name, _)| name == "terms"))
    }

    /// Returns the acceptable methods of a cell: its ties if the map has them, or its one method. Empty where nothing was measured.
    pub fn acceptable_methods(&self, cell: usize) -> &[MethodIndex] {
        match &self.ties {
            Some(ties) => ties.get(cell),
            None => self.cells[cell].as_slice(),
        }
    }

    /// Returns the candidates: all methods except the baseline, which is included only if the map itself chooses it.
    pub fn candidates(&self) -> Vec<MethodIndex> {
        let mut chosen = vec![false; self.domain.methods().len()];
        for method in self.cells.iter().flatten() {
            chosen[method.get()] = true;
        }
        let candidates = |method: &MethodIndex| chosen[method.get()] || !self.domain.method(*method).baseline;
        self.domain.method_indexes().filter(candidates).collect()
    }

    /// Returns the decision of the map for sizes on and off the grid: the method of the sample that each size belongs to, or the
    /// [fallback](Self::fallback) if that method may not run. A label is given by its position. Only a tree knows where methods
    /// [cross](Borders::Crossing); here, those borders are the geometric ones.
    ///
    /// # Panics
    ///
    /// Panics if there is not one size for each axis.
    pub fn decide(&self, sizes: &[u64], borders: Borders) -> Option<MethodIndex> {
        let axes = self.domain.axes();
        assert_eq!(sizes.len(), axes.len(), "one size for each axis");
        let samples: Vec<usize> =
            axes.iter().zip(sizes).map(|(axis, &size)| axis.sample_of(size, borders)).collect();
        let method = self.cells[self.shape().offset(&samples)]?;
        let runs =
            self.domain.method(method).requires.iter().all(|requirement| requirement.runs_at(axes, sizes));
        if runs { Some(method) } else { self.fallback }
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape::new(self.domain.shape())
    }
}

/// Checks that no cell holds a method whose requirements its sizes do not meet.
fn check_may_run(
    domain: &Domain,
    method: MethodIndex,
    cell: usize,
    place: impl FnOnce() -> Path,
    check: &mut Diagnostics,
) {
    let described = domain.method(method);
    if described.requires.is_empty() || domain.may_run(method, &domain.sizes(cell)) {
        return;
    }
    check.add_with(|| {
        let requires: Vec<String> = described.requires.iter().map(ToString::to_string).collect();
        let sizes = domain.axes().iter().zip(domain.sizes(cell));
        let sizes: Vec<String> = sizes.map(|(axis, size)| format!("{} = {size}", axis.name)).collect();
        let message = format!(
            "`{}` requires {}, which does not hold at {}",
            described.label(),
            in_backticks(&requires),
            sizes.join(", ")
        );
        Problem::new(place(), message).help("correct `requires`, or choose another method for the cell")
    });
}

fn out_of_range(path: &Path, index: u64, count: usize) -> Problem {
    Problem::new(path.clone(), format!("there is no method {index}: the {count} methods are numbered from 0"))
}
