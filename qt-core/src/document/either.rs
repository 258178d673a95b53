//! Files that hold a map or a tree.

use super::Document;
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
}
