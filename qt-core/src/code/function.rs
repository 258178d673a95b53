//! A decision function in Rust, as its parts.

use proc_macro2::{Span, TokenStream};

use super::layout::LayoutChoice;
use super::parameter::Parameter;
use super::returns::{ReturnKind, Wrapper};
use crate::problem::Problem;
use crate::tree::DecisionTree;

/// A decision function, but for its signature.
pub struct Function<'t> {
    /// What it decides.
    pub tree: &'t DecisionTree,
    /// What its code looks like.
    pub layout: LayoutChoice,
    /// Its parameters: one for each axis, in the order of the axes.
    pub parameters: Vec<Parameter>,
    /// What it returns for a method.
    pub returns: ReturnKind,
    /// Whether an item inside the function may name what is returned, as it may not name generics and `Self`.
    pub nameable: bool,
    /// Where an enum is at fault that lacks a variant.
    pub variants_at: Span,
    /// How the answer is wrapped up.
    pub wrapper: Wrapper,
    /// What else has a name where the function stands: its signature, items beside it. Their names are not used for anything else.
    pub in_scope: TokenStream,
    /// The labels that a `bool` gives as `true`, where the labels themselves do not tell.
    pub true_labels: Vec<String>,
    /// The body that the user wrote, which answers where the tree gives no decision.
    pub fallback: Option<TokenStream>,
}

/// The body of a decision function.
#[derive(Debug)]
pub struct Body {
    /// What stands between the braces.
    pub code: TokenStream,
    /// Leave for the function from those lints that it breaks, as an attribute.
    pub lints: TokenStream,
    /// Integer types that cannot hold what they must, as far as they are known by their names. The code does not compile
    /// with them, and says the same.
    pub too_narrow: Vec<Problem>,
}
