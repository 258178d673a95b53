//! The scope of generated code, and the conditions written in it.

use std::cell::Cell;

use super::answers::Answers;
use super::function::Function;
use super::names::Names;
use super::parameter::{BoundParameter, Parameter, ParameterKind};
use crate::problem::Problems;
use crate::tree::{Bound, Condition, DecisionTree};
use proc_macro2::TokenStream;
use quote::quote;

/// The parameters and answers that generated code can refer to.
pub(super) struct Scope<'f> {
    pub(super) tree: &'f DecisionTree,
    pub(super) parameters: Vec<BoundParameter<'f>>,
    pub(super) answers: Answers<'f>,
    pub(super) names: Names,
    pub(super) quadrants: &'f super::quadrant_style::QuadrantStyle,
    /// The number of regions that were written as branches.
    pub(super) written: Cell<usize>,
}

impl<'f> Scope<'f> {
    /// Creates the scope of a function; `unmapped` is the expression for no method.
    pub(super) fn new(function: &'f Function<'_>, unmapped: TokenStream) -> Result<Self, Problems> {
        let tree = function.tree;
        Ok(Self {
            tree,
            parameters: BoundParameter::bind(tree.domain(), &function.parameters, &function.true_labels)?,
            answers: Answers::new(function, unmapped)?,
            names: Names::new(function),
            quadrants: &function.quadrants,
            written: Cell::default(),
        })
    }

    pub(super) fn condition(&self, condition: &Condition) -> TokenStream {
        match *condition {
            Condition::Side(bound) => self.side(bound),
            Condition::Corner(first, second) => {
                let (first, second) = (self.side(first), self.side(second));
                quote!(#first && #second)
            }
            Condition::Diagonal(first, second) => self.diagonal(first, second),
        }
    }

    /// Returns the condition that both sides hold or neither, in a form that negates no `bool`.
    fn diagonal(&self, first: Bound, second: Bound) -> TokenStream {
        let (first, second) =
            if self.is_negated(first) { (first.other(), second.other()) } else { (first, second) };
        let left = self.operand(first);
        if self.is_negated(second) {
            let right = self.operand(second.other());
            quote!(#left != #right)
        } else {
            let right = self.operand(second);
            quote!(#left == #right)
        }
    }

    fn operand(&self, bound: Bound) -> TokenStream {
        let side = self.side(bound);
        match self.parameters[bound.axis].kind {
            ParameterKind::Size => quote!((#side)),
            _ => side,
        }
    }

    /// Returns the comparison behind a condition in its plain form, `<` or a `bool` itself, and its value if the condition holds.
    pub(super) fn comparison(&self, bound: Bound) -> (TokenStream, bool) {
        let plain = match self.parameters[bound.axis].kind {
            ParameterKind::Truth { first } => Bound { below: first, ..bound },
            ParameterKind::Size | ParameterKind::Label { .. } => Bound { below: true, ..bound },
        };
        (self.side(plain), plain == bound)
    }

    fn is_negated(&self, bound: Bound) -> bool {
        matches!(self.parameters[bound.axis].kind, ParameterKind::Truth { first } if first != bound.below)
    }

    /// Returns the condition that a size or label is on one side of a cut.
    pub(super) fn side(&self, bound: Bound) -> TokenStream {
        let Bound { axis, at, below } = bound;
        let BoundParameter { parameter: Parameter { name, .. }, kind } = &self.parameters[axis];
        match kind {
            ParameterKind::Size => {
                let bound = &self.parameters[axis];
                let (size, threshold) = (bound.size(), bound.number(self.tree.threshold(axis, at)));
                if below { quote!(#size < #threshold) } else { quote!(#size >= #threshold) }
            }
            ParameterKind::Truth { .. } if self.is_negated(bound) => quote!(!#name),
            ParameterKind::Truth { .. } => quote!(#name),
            ParameterKind::Label { path, variants } => {
                let side = if below { &variants[..at] } else { &variants[at..] };
                quote!(::core::matches!(#name, #(#path::#side)|*))
            }
        }
    }
}
