//! The interface of a layout, a form of the code of a tree.

use super::decision::Decision;
use super::scope::Scope;
use crate::problem::Problem;
use crate::tree::DecisionTree;

/// A form of the code of a tree. All layouts make the same decisions, at different costs.
#[derive(Debug)]
pub struct Layout {
    pub(super) name: &'static str,
    /// A short description for a help text.
    pub(super) summary: &'static str,
    /// Returns the axis and sample of every cut with which the code compares.
    pub(super) cuts: fn(&DecisionTree) -> Vec<(usize, usize)>,
    /// Generates the code of a tree, or returns an error for one that is too large for the layout.
    pub(super) write: fn(&DecisionTree, &Scope<'_>) -> Result<Decision, Problem>,
}

impl Layout {
    /// Returns the name of the layout in options.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn cuts_of_tree(tree: &DecisionTree) -> Vec<(usize, usize)> {
        tree.root().cuts().collect()
    }
}
