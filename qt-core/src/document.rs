//! A file that holds a map or a tree.

#[cfg(feature = "maps")]
mod either;
#[cfg(not(feature = "maps"))]
mod stored;

use crate::domain::Domain;
use crate::json::{self, PlacedValue};
#[cfg(feature = "maps")]
use crate::map::DecisionMap;
use crate::problem::{Place, Problem, Problems};
use crate::tree::{DecisionTree, SplitTree};

/// What canonical times begin with.
const TIMES: &[u8] = b"# qtdec-times/";

/// The contents of a file. The attribute, the builder and every command accept both kinds.
///
/// The variants are complete: a file holds a map or a tree of one of two kinds. Only the feature `maps` reads maps.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "maps"),
    expect(clippy::large_enum_variant, reason = "a program has few documents, and moves each of them once")
)]
pub enum Document {
    /// A decision map, `qtdec-map/1`.
    #[cfg(feature = "maps")]
    Map(DecisionMap),
    /// A decision tree, `qtdec-tree/1`.
    Tree(DecisionTree),
    /// A decision tree whose outermost test is a predicate, also `qtdec-tree/1`.
    Split(SplitTree),
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

    /// Returns a warning if the file holds an inconsistent map, as from [`DecisionMap::warning`](crate::DecisionMap::warning).
    pub fn warning(&self) -> Option<String> {
        match self {
            #[cfg(feature = "maps")]
            Self::Map(map) => map.warning(),
            Self::Tree(_) | Self::Split(_) => None,
        }
    }

    /// Returns whether the file holds a map with unmeasured cells.
    pub fn has_gaps(&self) -> bool {
        match self {
            #[cfg(feature = "maps")]
            Self::Map(map) => map.cells().contains(&None),
            Self::Tree(_) | Self::Split(_) => false,
        }
    }

    /// Returns the axes and methods.
    pub fn domain(&self) -> &Domain {
        match self {
            #[cfg(feature = "maps")]
            Self::Map(map) => map.domain(),
            Self::Tree(tree) => tree.domain(),
            Self::Split(tree) => tree.domain(),
        }
    }

    /// Reads a tree of either kind.
    fn read_tree(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        if file.member(SplitTree::MEMBER).is_some() {
            SplitTree::read(file).map(Self::Split)
        } else {
            DecisionTree::read(file).map(Self::Tree)
        }
    }
}
