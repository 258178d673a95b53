//! Layouts: what the code of a tree looks like.
//!
//! A layout is one file of this folder and one line in [`layouts`].

use std::fmt;

use super::branches::Branches;
use super::decision::Decision;
use super::scope::Scope;
use super::select::Selections;
use super::table::FlatTable;
use crate::encode::one_of;
use crate::message::Message;
use crate::problem::Problem;
use crate::tree::{DecisionTree, Table};

/// A form of the code of a tree. All of them decide alike, at different prices.
///
/// The crate alone implements it: what a layout is given and gives back may change with any version.
pub trait Layout: fmt::Debug + Sync {
    /// Returns the name that it has in options.
    fn name(&self) -> &'static str;

    /// Returns what its code is, in a few words for a help text.
    fn summary(&self) -> &'static str;

    /// Writes the tree.
    ///
    /// # Errors
    ///
    /// A tree that is too large for it.
    #[doc(hidden)]
    fn write(&self, tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem>;
}

/// Returns every layout, the default first.
pub fn layouts() -> &'static [&'static dyn Layout] {
    &[
        // The default.
        &Branches,
        &FlatTable,
        &Selections,
    ]
}

/// Returns the layout of a name.
pub fn find_layout(name: &str) -> Option<&'static dyn Layout> {
    layouts().iter().copied().find(|layout| layout.name() == name)
}

/// Names that layouts had once, with the one to use instead and why.
pub const REMOVED_LAYOUTS: &[(&str, &str)] = &[(
    "hybrid",
    "the layout `hybrid` was removed: use `table`, which is smaller and faster wherever calls vary",
)];

/// A layout, or the rule that chooses one for each tree.
#[derive(Clone, Copy, Debug)]
pub enum LayoutChoice {
    /// This layout.
    Fixed(&'static dyn Layout),
    /// Selections for trees of up to [`AUTO_REGIONS`], and a table for larger ones; branches where a table would be too large.
    Auto,
}

/// The most regions for which `auto` takes selections.
///
/// Random calls take 1.00 of the table's time with 5, 9, 11 and 12 regions, 1.10 with 14, 1.31 with 17 and 1.72 with 22 (the smallest
/// trees of a map of Polaris, by `cargo xtask bench`); waiting for each other, 0.75 to 0.39, and first calls 0.8 to 0.2.
pub const AUTO_REGIONS: usize = 12;

impl LayoutChoice {
    /// The name of the option.
    pub const OPTION: &str = "layout";

    /// Returns what the option may be, the default first.
    pub fn names() -> Vec<&'static str> {
        layouts().iter().map(|layout| layout.name()).chain(["auto"]).collect()
    }

    /// Returns what the option does, in one line without a full stop.
    pub fn help() -> String {
        let summaries: Vec<&str> = layouts().iter().map(|layout| layout.summary()).collect();
        let summaries = summaries.join(", ");
        format!(
            "choose the form of the code: {summaries}; auto uses selections or a table, depending on the size of the tree"
        )
    }

    /// Returns the choice of a name.
    ///
    /// # Errors
    ///
    /// The names there are, or what to use instead of a layout that was removed.
    pub fn parse(name: &str, not: impl Fn(String) -> Message) -> Result<Self, Message> {
        if let Some((_, instead)) = REMOVED_LAYOUTS.iter().find(|(removed, _)| *removed == name) {
            return Err((*instead).into());
        }
        let fixed = layouts().iter().map(|layout| (layout.name(), Self::Fixed(*layout)));
        let known: Vec<(&str, Self)> = fixed.chain([("auto", Self::Auto)]).collect();
        one_of(name, &known).map_err(not)
    }

    /// Returns the layout for a tree.
    pub fn of(self, tree: &DecisionTree) -> &'static dyn Layout {
        match self {
            Self::Fixed(layout) => layout,
            Self::Auto if tree.root().leaves() <= AUTO_REGIONS => &Selections,
            Self::Auto if Table::bytes(tree).is_ok() => &FlatTable,
            Self::Auto => &Branches,
        }
    }
}

impl Default for LayoutChoice {
    fn default() -> Self {
        Self::Fixed(&Branches)
    }
}

impl From<&'static dyn Layout> for LayoutChoice {
    fn from(layout: &'static dyn Layout) -> Self {
        Self::Fixed(layout)
    }
}
