//! A file that holds a map or a tree.

#[cfg(feature = "maps")]
mod either;
#[cfg(not(feature = "maps"))]
mod stored;

use crate::json::{self, PlacedValue};
#[cfg(feature = "maps")]
use crate::map::DecisionMap;
use crate::problem::{Place, Problem, Problems};
use crate::tree::DecisionTree;

/// What canonical times begin with.
const TIMES: &[u8] = b"# qtdec-times/";

/// The contents of a file. The attribute, the builder and every command accept both kinds.
///
/// The variants are complete: a file holds a map or a tree. Only the feature `maps` reads maps.
#[derive(Clone, Debug)]
pub enum Document {
    /// A decision map, `qtdec-map/1`.
    #[cfg(feature = "maps")]
    Map(DecisionMap),
    /// A decision tree, `qtdec-tree/1`.
    Tree(DecisionTree),
}

impl Document {
    /// Reads a file of either kind.
    ///
    /// # Errors
    ///
    /// Returns everything that is wrong with it. [`Problem::report`](crate::Problem::report) shows each problem with its line and
    /// column.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Problems> {
        if bytes.starts_with(TIMES) {
            let problem = Problem::new(Place::File, "these are times, and neither a map nor a tree");
            return Err(problem.help("qtdec map FILE -o MAP makes a map of them").into());
        }
        Self::read(&PlacedValue::parse(json::text(bytes)?)?)
    }
}
