//! A decision function in Rust, as its parts.

use super::parameter::Parameter;
use super::quadrant_style::QuadrantStyle;
use super::returns::{ReturnKind, Wrapper};
use crate::problem::Problem;
use crate::tree::DecisionTree;
use proc_macro2::{Span, TokenStream};

/// A decision function without its signature and its layout, which is chosen when its [body](Self::body) is generated.
pub struct Function<'t> {
    /// The tree to compute.
    pub tree: &'t DecisionTree,
    /// The parameters: one for each axis, in the order of the axes.
    pub parameters: Vec<Parameter>,
    /// The kind of value returned for a method.
    pub returns: ReturnKind,
    /// Whether an item inside the function can name the returned type, which excludes generics and `Self`.
    pub nameable: bool,
    /// The span for errors about an enum that lacks a variant.
    pub variants_at: Span,
    /// The wrapper around the answer.
    pub wrapper: Wrapper,
    /// Other tokens with names that are in scope: the signature and nearby items. The generated code avoids these names.
    pub in_scope: TokenStream,
    /// The labels that mean `true` for a `bool`, where the labels themselves do not make it clear.
    pub true_labels: Vec<String>,
    /// What the layout `quadrants` writes besides the branches.
    pub quadrants: QuadrantStyle,
    /// The user's body, which answers where the tree has no decision.
    pub fallback: Option<TokenStream>,
}

/// The body of a decision function.
#[derive(Debug)]
pub struct Body {
    /// The code between the braces.
    pub code: TokenStream,
    /// An attribute that allows the lints that the function violates.
    pub lints: TokenStream,
    /// Integer types that are too narrow, as far as they are known by name. The code does not compile with them, and reports the same
    /// errors.
    pub too_narrow: Vec<Problem>,
}
