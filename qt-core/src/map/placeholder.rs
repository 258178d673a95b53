//! Maps that stand in until the first measurement.

use super::DecisionMap;
use crate::domain::{Axis, Domain, Method, MethodIndex};
use crate::problem::Problems;

impl DecisionMap {
    /// Creates a map that is marked as unmeasured and chooses the first method everywhere.
    ///
    /// A program that measures its own methods needs a map to compile before there is one. The placeholder has the names of the final
    /// map, so the functions and enums generated from it have the same signatures and variants. The samples of its axes do not matter;
    /// one size is enough.
    ///
    /// ```
    /// use qtdec_core::{Axis, DecisionMap, Method};
    ///
    /// let axes = vec![Axis::new("m", [1]), Axis::new("n", [1])];
    /// let map = DecisionMap::placeholder(axes, vec![Method::new("simple"), Method::new("blocked")])?;
    /// assert!(map.is_placeholder());
    /// assert!(map.to_json().contains("\"placeholder\": true"));
    /// # Ok::<(), qtdec_core::Problems>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for axes and methods that make no valid [`Domain`].
    pub fn placeholder(axes: Vec<Axis>, methods: Vec<Method>) -> Result<Self, Problems> {
        let domain = Domain::new(None, axes, methods)?;
        let cells = vec![Some(MethodIndex::new(0)); domain.cells()];
        Ok(Self { is_placeholder: true, ..Self::new(domain, cells)? })
    }

    /// Returns whether the map is a [placeholder](Self::placeholder), in which nothing was measured.
    pub fn is_placeholder(&self) -> bool {
        self.is_placeholder
    }
}
