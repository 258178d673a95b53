//! The parameters of a function, and what they are asked.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::Type;

use super::types::{name, qualifier, span_of};
use super::variants;
use crate::domain::{Axis, Samples};
use crate::problem::{Diagnostics, Problems};
use crate::tree::DecisionTree;

/// The parameter that gives the size on one axis.
#[derive(Clone)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its type: an integer, or for a labelled axis `bool` or an enum with a variant for every label.
    pub ty: Type,
    /// Whether an item inside the function may name the type, as it may not name generics and `Self`.
    pub nameable: bool,
}

/// A parameter bound to its axis.
pub(super) struct BoundParameter<'f> {
    pub(super) parameter: &'f Parameter,
    pub(super) kind: ParameterKind,
}

/// What a parameter gives.
pub(super) enum ParameterKind {
    /// A size.
    Size,
    /// One of two labels; `first` is the value that stands for the first of them.
    Truth { first: bool },
    /// One of several labels, each a variant of the enum at this path.
    Label { path: TokenStream, variants: Vec<Ident> },
}

impl<'f> BoundParameter<'f> {
    /// Binds the parameters to the axes of a tree.
    ///
    /// # Errors
    ///
    /// Labels that make no variants of an enum where an enum must give them.
    pub(super) fn of(tree: &DecisionTree, parameters: &'f [Parameter]) -> Result<Vec<Self>, Problems> {
        let mut problems = Diagnostics::default();
        let axes = tree.domain().axes().iter().zip(parameters).enumerate();
        let bound: Vec<Option<Self>> = axes
            .map(|(index, (axis, parameter))| {
                let kind = problems.note(ParameterKind::of(index, axis, parameter))?;
                Some(Self { parameter, kind })
            })
            .collect();
        problems.finish(bound.into_iter().collect())
    }

    /// Whether a `bool` gives the label.
    pub(super) fn is_bool(&self) -> bool {
        matches!(self.kind, ParameterKind::Truth { .. })
    }

    /// The parameter of an inner function that takes over: an enum of the user's may be one that cannot be copied.
    pub(super) fn inner(&self) -> TokenStream {
        let Parameter { name, ty, .. } = self.parameter;
        match self.kind {
            ParameterKind::Label { .. } => quote!(#name: &#ty),
            ParameterKind::Size | ParameterKind::Truth { .. } => quote!(#name: #ty),
        }
    }

    /// What such a function is called with: by the function itself, or by another `inner` one.
    pub(super) fn argument(&self, inner: bool) -> TokenStream {
        let name = &self.parameter.name;
        match self.kind {
            ParameterKind::Label { .. } if !inner => quote!(&#name),
            _ => quote!(#name),
        }
    }

    /// Whether the type is one that holds no negative size, as far as its name tells.
    pub(super) fn is_unsigned(&self) -> bool {
        let unsigned = ["u8", "u16", "u32", "u64", "u128", "usize"];
        name(&self.parameter.ty).is_some_and(|name| unsigned.contains(&&*name))
    }

    /// The number of the interval in which a label lies, as a `usize`: `firsts` are the first labels of all intervals but
    /// the first.
    pub(super) fn interval(&self, firsts: &[usize]) -> TokenStream {
        let name = &self.parameter.name;
        match &self.kind {
            ParameterKind::Size | ParameterKind::Truth { first: false } => quote!(#name as usize),
            ParameterKind::Truth { first: true } => quote!(!#name as usize),
            ParameterKind::Label { path, variants } => {
                let begins = std::iter::once(0).chain(firsts.iter().copied());
                let ends = firsts.iter().copied().chain([variants.len()]);
                let arms = begins.zip(ends).enumerate().map(|(interval, (begin, end))| {
                    let (labels, interval) = (&variants[begin..end], Literal::usize_suffixed(interval));
                    quote!(#(#path::#labels)|* => #interval,)
                });
                quote!((match #name { #(#arms)* }))
            }
        }
    }

    /// The labels that an enum gives, all of which it must have, and no others.
    pub(super) fn labels(&self) -> Option<(&TokenStream, &[Ident])> {
        match &self.kind {
            ParameterKind::Label { path, variants } => Some((path, variants)),
            ParameterKind::Size | ParameterKind::Truth { .. } => None,
        }
    }
}

impl ParameterKind {
    fn of(index: usize, axis: &Axis, parameter: &Parameter) -> Result<Self, Problems> {
        let Samples::Labels(labels) = &axis.samples else { return Ok(Self::Size) };
        if name(&parameter.ty).is_some_and(|name| name == "bool") {
            return Ok(Self::Truth { first: labels[0].eq_ignore_ascii_case("true") });
        }
        let variants = variants::of_labels(index, labels)?;
        let span = span_of(&parameter.ty);
        let variants = variants.iter().map(|variant| Ident::new(variant, span)).collect();
        Ok(Self::Label { path: qualifier(&parameter.ty), variants })
    }
}
