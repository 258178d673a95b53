//! The list of layouts, and the choice of one.
//!
//! A layout is one file in `code/` and one line in [`layouts`].

use crate::code::layout::Layout;
use crate::code::quartered::is_quadtree;
use crate::code::{branches, quadrants, select, table};
use crate::listing::one_of;
use crate::tree::DecisionTree;

/// Returns every layout.
pub fn layouts() -> &'static [&'static Layout] {
    &[&branches::BRANCHES, &quadrants::QUADRANTS, &table::TABLE, &select::SELECT]
}

/// A layout, or the rule that chooses one for each tree.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum LayoutChoice {
    /// The form in which the encoding is read: quadrants for a quadtree, branches for trees of other encodings.
    #[default]
    Encoding,
    /// A specific layout.
    Fixed(&'static Layout),
    /// Selections for trees of up to [`AUTO_REGIONS`], and a table for larger ones; branches if the table would be too large.
    Auto,
}

/// The maximum number of regions for which `auto` chooses selections.
///
/// Relative to the table, random calls take 1.00 of the time with 5, 9, 11 and 12 regions, 1.10 with 14, 1.31 with 17 and 1.39 with 22
/// (the smallest trees of a map of Polaris, by `cargo xtask bench`). Dependent calls take 0.75 to 0.39, and first calls 0.8 to 0.2.
pub const AUTO_REGIONS: usize = 12;

impl LayoutChoice {
    /// The name of the option.
    pub const OPTION: &str = "layout";

    /// Nested branches.
    pub const BRANCHES: Self = Self::Fixed(&branches::BRANCHES);

    /// The quadrants of a quadtree, in the papers' form.
    pub const QUADRANTS: Self = Self::Fixed(&quadrants::QUADRANTS);

    /// One table.
    pub const TABLE: Self = Self::Fixed(&table::TABLE);

    /// Selections without branches.
    pub const SELECT: Self = Self::Fixed(&select::SELECT);

    /// Returns the name of the choice, as the option has it.
    ///
    /// ```
    /// use qtdec_core::code::LayoutChoice;
    ///
    /// assert_eq!((LayoutChoice::TABLE.name(), LayoutChoice::Auto.name()), ("table", "auto"));
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoding => "encoding",
            Self::Fixed(layout) => layout.name(),
            Self::Auto => "auto",
        }
    }

    /// Returns the values of the option, the default first.
    pub fn names() -> Vec<&'static str> {
        let fixed = layouts().iter().map(|layout| layout.name());
        [Self::Encoding.name()].into_iter().chain(fixed).chain([Self::Auto.name()]).collect()
    }

    /// Returns the help of the option, in one line without a full stop.
    pub fn help() -> String {
        let summaries: Vec<&str> = layouts().iter().map(|layout| layout.summary).collect();
        let summaries = summaries.join(", ");
        format!(
            "choose the form of the code: that of the encoding, which is quadrants for a quadtree and branches for others; {summaries}; \
             auto uses selections or a table, depending on the size of the tree"
        )
    }

    /// Returns the choice with this name.
    ///
    /// # Errors
    ///
    /// Returns the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let fixed = layouts().iter().map(|layout| (layout.name(), Self::Fixed(layout)));
        let [first, last] = [Self::Encoding, Self::Auto].map(|rule| (rule.name(), rule));
        let known: Vec<(&str, Self)> = [first].into_iter().chain(fixed).chain([last]).collect();
        one_of(name, &known)
    }

    /// Returns the layout for a tree.
    pub fn choose(self, tree: &DecisionTree) -> &'static Layout {
        match self {
            Self::Encoding if is_quadtree(tree) => &quadrants::QUADRANTS,
            Self::Fixed(layout) => layout,
            Self::Auto if tree.root().leaves() <= AUTO_REGIONS => &select::SELECT,
            Self::Auto if tree.table_bytes().is_some() => &table::TABLE,
            Self::Encoding | Self::Auto => &branches::BRANCHES,
        }
    }
}
