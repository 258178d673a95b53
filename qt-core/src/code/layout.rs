//! The interface of a layout, a form of the code of a tree.

use std::fmt;

use super::decision::Decision;
use super::scope::Scope;
use crate::problem::Problem;
use crate::tree::DecisionTree;

/// A form of the code of a tree. All layouts make the same decisions, at different costs.
///
/// The trait is sealed: only this crate implements it, because the input and output of a layout can change in any version.
pub trait Layout: fmt::Debug + Sync {
    /// Returns the name of the layout in options.
    fn name(&self) -> &'static str;

    /// Returns a short description for a help text.
    fn summary(&self) -> &'static str;

    /// Returns the axis and sample of every cut with which the code compares.
    #[doc(hidden)]
    fn cuts(&self, tree: &DecisionTree) -> Vec<(usize, usize)> {
        tree.root().cuts().collect()
    }

    /// Generates the code of a tree.
    ///
    /// # Errors
    ///
    /// Returns an error for a tree that is too large for the layout.
    #[doc(hidden)]
    fn write(&self, tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem>;
}
