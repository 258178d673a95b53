//! Files that hold a tree.

use super::Document;
use crate::json::PlacedValue;
use crate::problem::{Problem, Problems};
use crate::tree;

/// The format of maps.
const MAP: &str = "qtdec-map/1";

impl Document {
    pub(super) fn read(file: &PlacedValue<'_>) -> Result<Self, Problems> {
        if file.format(&[tree::FORMAT, MAP])? == tree::FORMAT {
            return Self::read_tree(file);
        }
        let message =
            "the file holds a map, and only stored trees are read without the feature `maps` of qtdec";
        Err(Problem::new(file.path.key("format"), message)
            .help("name the tree that `qtdec encode` writes")
            .help("remove `default-features = false` from qtdec in Cargo.toml")
            .into())
    }
}
