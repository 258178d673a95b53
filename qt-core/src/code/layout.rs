//! What the code of a tree looks like.
//!
//! A layout is one file of this folder, a line in each of the lists here, and one where a body is written.

use crate::encode::OptionForm;

/// What the code of a tree looks like: the same decisions, at another price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Nested `if` and `else if`: the fastest where a program repeats its calls, and the one that people read.
    #[default]
    Branches,
    /// A table, without a branch: as fast for calls that vary.
    Table,
    /// A coarse table, and nested branches where it does not decide: smooth maps in little memory.
    Hybrid,
}

impl Layout {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("branches", Self::Branches), ("table", Self::Table), ("hybrid", Self::Hybrid)];

    /// How the option is written.
    pub const OPTION: OptionForm = OptionForm {
        name: "layout",
        value: "branches|table|hybrid",
        help: "what the code looks like: nested branches, a table without a branch, or a coarse table with branches in its cells",
    };
}
