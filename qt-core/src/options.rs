//! The options that the attribute, the builder and the command share, with the same names in each.

#[cfg(feature = "maps")]
mod either;
mod of_code;
#[cfg(not(feature = "maps"))]
mod stored;

#[cfg(feature = "maps")]
pub use either::Options;
#[cfg(not(feature = "maps"))]
pub use stored::Options;

use crate::code::LayoutChoice;

/// Why a tree that is split by a predicate is refused.
const BOXES: &str = "only trees whose tests all compare sizes with borders can be used here";

/// The names of the options that affect the tree of a map.
#[cfg(any(test, not(feature = "maps")))]
const OF_TREE: [&str; 16] = [
    "encoding",
    "borders",
    "budget",
    "empty",
    "fallback",
    "predicates",
    "max_depth",
    "threshold",
    "fill",
    "leaf",
    "collapse",
    "weight",
    "confidence",
    "constants",
    "objective",
    "lambda",
];

/// The layouts that stored trees do not have without the feature `maps`.
#[cfg(any(test, not(feature = "maps")))]
const LAYOUTS_OF_MAPS: [&str; 4] = ["quadrants", "table", "select", "auto"];

impl Options {
    /// Returns the layout of the code.
    pub fn layout(&self) -> LayoutChoice {
        self.of_code.layout
    }

    /// Returns the labels that mean `true` for a `bool`, if they were given.
    pub fn true_labels(&self) -> &[String] {
        &self.of_code.true_labels
    }

    /// Returns the message of the papers' last `else`, if it was given.
    pub fn error(&self) -> Option<&str> {
        self.of_code.error.as_deref()
    }
}
