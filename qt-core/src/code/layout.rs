//! The interface of a layout, a form of the code of a tree.

use super::scope::Scope;
use crate::problem::Problem;
use crate::tree::DecisionTree;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// A form of the code of a tree. All layouts make the same decisions, at different costs.
#[derive(Debug)]
pub struct Layout {
    pub(super) name: &'static str,
    /// A short description for a help text.
    pub(super) summary: &'static str,
    /// Generates the code of a tree, or returns an error for one that is too large for the layout.
    pub(super) write: fn(&DecisionTree, &Scope<'_>) -> Result<Decision, Problem>,
}

impl Layout {
    /// Returns the name of the layout in options.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// The code that computes a decision.
pub(super) struct Decision {
    /// Items that the code needs.
    pub(super) items: TokenStream,
    /// Statements before the value.
    pub(super) statements: TokenStream,
    /// The answer, an expression.
    pub(super) value: TokenStream,
    /// The lints that the code violates.
    pub(super) lints: Vec<&'static str>,
}

impl Decision {
    /// Returns everything except the lints, for use between braces.
    pub(super) fn block(&self) -> TokenStream {
        let Self { items, statements, value, .. } = self;
        quote!(#items #statements #value)
    }

    /// Returns the first decision where a condition holds, and the second where it fails.
    pub(super) fn either(condition: &TokenStream, met: &Self, unmet: &Self) -> Self {
        let mut lints = [&met.lints[..], &unmet.lints, &["clippy::too_many_lines"]].concat();
        if [met, unmet].iter().all(|side| !side.statements.is_empty()) {
            // The first steps to a place in their tables may be equal.
            lints.push("clippy::branches_sharing_code");
        }
        let (met, unmet) = (met.block(), unmet.block());
        let goes_on =
            matches!(unmet.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "if");
        let otherwise = if goes_on { unmet } else { quote!({ #unmet }) };
        let value = quote!(if #condition { #met } else #otherwise);
        Self { lints, ..Self::alone(value) }
    }

    /// Creates a decision from an answer that needs nothing else.
    pub(super) fn alone(value: TokenStream) -> Self {
        Self { items: TokenStream::new(), statements: TokenStream::new(), value, lints: Vec::new() }
    }
}
