//! A file that holds a map or a tree.

use std::collections::BTreeSet;

use crate::domain::{Domain, MethodIndex};
use crate::json::{self, PlacedValue};
use crate::map::{self, DecisionMap};
use crate::problem::{Place, Problem, Problems};
use crate::tree::{self, DecisionTree};

/// What canonical times begin with.
const TIMES: &[u8] = b"# qtdec-times/";

/// The contents of a file. The attribute, the builder and every command accept both kinds.
///
/// The variants are complete: a file holds a map or a tree.
#[derive(Clone, Debug)]
pub enum Document {
    /// A decision map, `qtdec-map/1`.
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
        let file = PlacedValue::parse(json::text(bytes)?)?;
        match file.format(&[map::FORMAT, tree::FORMAT])? {
            tree::FORMAT => DecisionTree::read(&file).map(Self::Tree),
            _ => DecisionMap::read(&file).map(Self::Map),
        }
    }

    /// Returns a warning if the file holds an inconsistent map, as from [`DecisionMap::warning`](crate::DecisionMap::warning).
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Map(map) => map.warning(),
            Self::Tree(_) => None,
        }
    }

    /// Returns whether the file holds a map with unmeasured cells.
    pub fn has_gaps(&self) -> bool {
        match self {
            Self::Map(map) => map.cells().contains(&None),
            Self::Tree(_) => false,
        }
    }

    /// Returns the axes and methods.
    pub fn domain(&self) -> &Domain {
        match self {
            Self::Map(map) => map.domain(),
            Self::Tree(tree) => tree.domain(),
        }
    }

    /// Returns the methods that the map or the tree chooses, in order.
    pub fn chosen_methods(&self) -> Vec<MethodIndex> {
        match self {
            Self::Map(map) => {
                let chosen: BTreeSet<MethodIndex> =
                    (0..map.cells().len()).flat_map(|cell| map.acceptable_methods(cell)).copied().collect();
                chosen.into_iter().collect()
            }
            Self::Tree(tree) => tree.methods(),
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
}
