//! What the code of a tree looks like.
//!
//! A layout is one file of this folder, a line in each of the lists here, and one where a body is written.

use crate::encode::{OptionForm, one_of};
use crate::message::{Message, Suggestion};
use crate::problem::{Place, Problem};
use crate::tree::{DecisionTree, Table};

/// What the code of a tree looks like: the same decisions, at another price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Nested `if` and `else if`: the layout that people read, and the fastest where calls repeat themselves.
    #[default]
    Branches,
    /// A table, without a branch: the fastest for large trees where calls vary.
    Table,
    /// Selections, without a branch or a load: the fastest for small trees.
    Select,
}

/// A layout, or the rule that chooses one for each tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutChoice {
    /// This layout.
    Fixed(Layout),
    /// Selections for trees of up to [`AUTO_REGIONS`], and a table for larger ones; branches where a table would be too large.
    Auto,
}

/// The most regions for which `auto` takes selections.
///
/// Random calls take 1.00 of the table's time with 5, 9, 11 and 12 regions, 1.10 with 14, 1.31 with 17 and 1.72 with 22 (the smallest
/// trees of a map of Polaris, by `cargo xtask bench`); waiting for each other, 0.75 to 0.39, and first calls 0.8 to 0.2.
pub const AUTO_REGIONS: usize = 12;

/// The most regions of a tree in selections, all of which are looked at in every call.
///
/// Random calls take 0.66 of the time of branches with 35 regions, 0.75 with 49, 0.90 with 58, 0.88 with 65, 1.01 with 69 and 1.14 with
/// 75 (tables of Frontera, by `cargo xtask bench`): with more than this, selections are behind both other layouts.
pub const MAX_SELECTED: usize = 64;

impl Layout {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("branches", Self::Branches), ("table", Self::Table), ("select", Self::Select)];

    /// Names that layouts had once, with the one to use instead and why.
    pub const REMOVED: [(&'static str, &'static str); 1] = [(
        "hybrid",
        "the layout `hybrid` was removed: use `table`, which is smaller and faster wherever calls vary",
    )];
}

impl LayoutChoice {
    /// How the option is written.
    pub const OPTION: OptionForm = OptionForm {
        name: "layout",
        value: "branches|table|select|auto",
        help: "what the code looks like: nested branches, a table without a branch, selections without a branch or a load for small trees, or the better of the latter two",
    };

    /// Returns the choice of a name.
    ///
    /// # Errors
    ///
    /// The names there are, or what to use instead of a layout that was removed.
    pub fn parse(name: &str, not: impl Fn(String) -> Message) -> Result<Self, Message> {
        if let Some((_, instead)) = Layout::REMOVED.iter().find(|(removed, _)| *removed == name) {
            return Err((*instead).into());
        }
        let fixed = Layout::ALL.map(|(name, layout)| (name, Self::Fixed(layout)));
        let known: Vec<(&str, Self)> = fixed.into_iter().chain([("auto", Self::Auto)]).collect();
        one_of(name, &known).map_err(not)
    }

    /// Returns the layout for a tree.
    pub fn of(self, tree: &DecisionTree) -> Layout {
        match self {
            Self::Fixed(layout) => layout,
            Self::Auto if tree.root().leaves() <= AUTO_REGIONS => Layout::Select,
            Self::Auto if Table::bytes(tree).is_ok() => Layout::Table,
            Self::Auto => Layout::Branches,
        }
    }
}

/// Checks that a tree is small enough for selections; `instead` is the layout to take if it is not.
///
/// # Errors
///
/// More regions than [`MAX_SELECTED`].
pub fn check_selected(tree: &DecisionTree, instead: &str) -> Result<(), Problem> {
    let regions = tree.root().leaves();
    if regions <= MAX_SELECTED {
        return Ok(());
    }
    let message = format!("{regions} regions are too many selections, of which the most are {MAX_SELECTED}");
    Err(Problem::new(Place::File, message)
        .help(Suggestion::set("layout", instead))
        .help("allow a budget, with which the tree is smaller"))
}

impl Default for LayoutChoice {
    fn default() -> Self {
        Self::Fixed(Layout::default())
    }
}

impl From<Layout> for LayoutChoice {
    fn from(layout: Layout) -> Self {
        Self::Fixed(layout)
    }
}
