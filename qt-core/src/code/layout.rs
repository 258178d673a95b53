//! The interface of a layout, a form of the code of a tree.

use super::scope::Scope;
use crate::problem::Problem;
use crate::rust;
use crate::tokens::{Code, Token};
use crate::tree::DecisionTree;

/// A form of the code of a tree. All layouts make the same decisions, at different costs.
#[derive(Debug)]
pub struct Layout {
    pub(super) name: &'static str,
    /// A short description for a help text.
    pub(super) summary: &'static str,
    /// Returns the axis and sample of every cut with which the code compares.
    #[cfg_attr(not(feature = "tools"), expect(dead_code, reason = "the attribute writes no proofs"))]
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

/// The code that computes a decision.
pub(super) struct Decision {
    /// Items that the code needs.
    pub(super) items: Code,
    /// Statements before the value.
    pub(super) statements: Code,
    /// The answer, an expression.
    pub(super) value: Code,
    /// The lints that the code violates.
    pub(super) lints: Vec<&'static str>,
}

impl Decision {
    /// Returns everything except the lints, for use between braces.
    pub(super) fn block(&self) -> Code {
        let Self { items, statements, value, .. } = self;
        rust!("#items #statements #value"; items, statements, value)
    }

    /// Returns the first decision where a condition holds, and the second where it fails.
    pub(super) fn either(condition: &Code, met: &Self, unmet: &Self) -> Self {
        let mut lints = [&met.lints[..], &unmet.lints, &["clippy::too_many_lines"]].concat();
        if [met, unmet].iter().all(|side| !side.statements.tokens().is_empty()) {
            // The first steps to a place in their tables may be equal.
            lints.push("clippy::branches_sharing_code");
        }
        let (met, unmet) = (met.block(), unmet.block());
        let goes_on = matches!(unmet.tokens().first(), Some(Token::Ident(word)) if word.text() == "if");
        let otherwise = if goes_on { unmet } else { rust!("{ #unmet }"; unmet) };
        let value = rust!("if #condition { #met } else #otherwise"; condition, met, otherwise);
        Self { lints, ..Self::alone(value) }
    }

    /// Creates a decision from an answer that needs nothing else.
    pub(super) fn alone(value: Code) -> Self {
        Self { items: Code::new(), statements: Code::new(), value, lints: Vec::new() }
    }
}
