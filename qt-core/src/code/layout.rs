//! What the code of a tree looks like.
//!
//! A layout is one file of this folder, and a line in each of the lists here.

use super::answers::Answers;
use super::branches::branches;
use super::decision::Decision;
use super::hybrid::hybrid;
use super::parameter::Parameters;
use super::table::table;
use crate::encode::OptionForm;
use crate::problem::Problem;
use crate::tree::{DecisionTree, Subtree};

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

    /// The code of `root`, a tree that speaks of the sizes that `tree` speaks of.
    pub(super) fn decision(
        self,
        root: Subtree<'_>,
        tree: &DecisionTree,
        parameters: &Parameters<'_>,
        answers: &Answers,
    ) -> Result<Decision, Problem> {
        match self {
            Self::Branches => branches(root, parameters, answers),
            Self::Table => table(root, tree, parameters, answers),
            Self::Hybrid => hybrid(root, tree, parameters, answers),
        }
    }
}
