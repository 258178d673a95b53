//! The layout of stored trees: branches.

use crate::code::branches::Branches;
use crate::code::layout::Layout;
use crate::listing::one_of;
use crate::message::Message;
use crate::tree::DecisionTree;

/// The layout of the code, of which there is one without the feature `maps`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayoutChoice;

impl LayoutChoice {
    /// Nested branches.
    pub const BRANCHES: Self = Self;

    /// Returns the name of the choice, as the option has it.
    pub fn name(self) -> &'static str {
        Branches.name()
    }

    /// Returns the values of the option.
    pub fn names() -> Vec<&'static str> {
        vec![Self.name()]
    }

    /// Returns the choice with this name.
    ///
    /// # Errors
    ///
    /// Returns the known name.
    pub fn parse(name: &str, not: impl Fn(String) -> Message) -> Result<Self, Message> {
        one_of(name, &[(Self.name(), Self)]).map_err(not)
    }

    /// Returns the layout for a tree.
    pub fn choose(self, _: &DecisionTree) -> &'static dyn Layout {
        &Branches
    }
}
