//! The choices of encoders.

use qtdec_core::{DecisionMap, DecisionTree, Document, Options};

/// Returns the tree that an encoder makes of a map.
pub(super) fn tree(map: &DecisionMap, options: &[(&str, &str)]) -> Result<DecisionTree, String> {
    let options = Options::parse(options).map_err(|problems| format!("{problems:?}"))?;
    options.tree(Document::Map(map.clone())).map_err(|problems| format!("{problems:?}"))
}
