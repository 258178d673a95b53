//! The options that the attribute, the builder and the command share, with the same names in each.

#[cfg(feature = "maps")]
mod either;
mod faults;
mod of_code;
#[cfg(not(feature = "maps"))]
mod stored;

#[cfg(feature = "maps")]
pub use either::Options;
pub use faults::{OptionFault, OptionFaults};
#[cfg(not(feature = "maps"))]
pub use stored::Options;

/// The names of the options that affect the tree of a map.
#[cfg(any(test, not(feature = "maps")))]
const OF_TREE: [&str; 15] = [
    "encoding",
    "borders",
    "budget",
    "empty",
    "fallback",
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
