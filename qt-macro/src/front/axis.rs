//! The axes of a map or a tree.

use super::listing::in_backticks;

/// An axis. One without labels has sizes.
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) values: Vec<u64>,
    pub(crate) labels: Vec<String>,
}

/// Returns the names of axes in backticks.
pub(crate) fn listed(axes: &[Axis]) -> String {
    let mut names = Vec::new();
    for axis in axes {
        names.push(axis.name.clone());
    }
    in_backticks(&names)
}

/// Returns whether an axis has this name.
pub(super) fn is_axis(axes: &[Axis], name: &str) -> bool {
    axes.iter().any(|axis| axis.name == name)
}
