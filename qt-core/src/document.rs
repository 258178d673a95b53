//! A file of either form.

use crate::domain::Domain;
use crate::json::{self, Value};
use crate::map::{self, DecisionMap};
use crate::problem::Problems;
use crate::tree::{self, DecisionTree};

/// What a file holds: the attribute, the builder and every command take either.
#[derive(Clone, Debug)]
pub enum Document {
    /// A decision map, `qtdec-map/1`.
    Map(DecisionMap),
    /// A decision tree, `qtdec-tree/1`.
    Tree(DecisionTree),
}

impl Document {
    /// Reads a file of either form.
    ///
    /// # Errors
    ///
    /// All that is wrong with it; [`Problem::report`](crate::Problem::report) shows each with its line and column.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Problems> {
        let file = Value::parse(json::text(bytes)?)?;
        match file.format(&[map::FORMAT, tree::FORMAT])? {
            tree::FORMAT => DecisionTree::read(&file).map(Self::Tree),
            _ => DecisionMap::read(&file).map(Self::Map),
        }
    }

    /// Returns the map, if the file holds one.
    pub fn into_map(self) -> Option<DecisionMap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Tree(_) => None,
        }
    }

    /// Returns the tree, if the file holds one.
    pub fn into_tree(self) -> Option<DecisionTree> {
        match self {
            Self::Map(_) => None,
            Self::Tree(tree) => Some(tree),
        }
    }

    /// Returns what is odd about a map, if anything is: [`DecisionMap::warning`].
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Map(map) => map.warning(),
            Self::Tree(_) => None,
        }
    }

    /// Returns whether nothing was measured in some cells of a map.
    pub fn has_gaps(&self) -> bool {
        match self {
            Self::Map(map) => map.cells().contains(&None),
            Self::Tree(_) => false,
        }
    }

    /// The axes and methods.
    pub fn domain(&self) -> &Domain {
        match self {
            Self::Map(map) => map.domain(),
            Self::Tree(tree) => tree.domain(),
        }
    }
}
