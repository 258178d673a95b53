//! Files that hold a map or a tree.

use super::Document;
use crate::domain::Domain;
use crate::json::PlacedValue;
use crate::map::{self, DecisionMap};
use crate::problem::Problems;
use crate::tree::{self, DecisionTree};

impl Document {
    pub(super) fn read(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        match file.format(&[map::FORMAT, tree::FORMAT])? {
            tree::FORMAT => Self::read_tree(file),
            _ => DecisionMap::read(file).map(Self::Map),
        }
    }

    /// Returns the map, if the file holds one.
    pub fn into_map(self) -> Option<DecisionMap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Tree(_) | Self::Split(_) => None,
        }
    }

    /// Returns the tree of boxes, if the file holds one.
    pub fn into_tree(self) -> Option<DecisionTree> {
        match self {
            Self::Map(_) | Self::Split(_) => None,
            Self::Tree(tree) => Some(tree),
        }
    }

    /// Returns a warning if the map is inconsistent, as from [`DecisionMap::warning`].
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Map(map) => map.warning(),
            Self::Tree(_) | Self::Split(_) => None,
        }
    }

    /// Returns whether the file holds a map with unmeasured cells.
    pub fn has_gaps(&self) -> bool {
        match self {
            Self::Map(map) => map.cells().contains(&None),
            Self::Tree(_) | Self::Split(_) => false,
        }
    }

    /// Returns the axes and methods.
    pub fn domain(&self) -> &Domain {
        match self {
            Self::Map(map) => map.domain(),
            Self::Tree(tree) => tree.domain(),
            Self::Split(tree) => tree.domain(),
        }
    }
}
