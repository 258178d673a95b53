//! The parameters of a function, and what they are asked.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use super::number::number;
use super::returns::span_of;
use super::variants;
use crate::domain::{Axis, Samples};
use crate::problem::{Check, Problems};
use crate::tree::{Bound, Condition, DecisionTree};

/// The parameter that gives the size on one axis.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its type: an integer, or for a labelled axis `bool` or an enum with a variant for every label.
    pub ty: TokenStream,
    /// Whether an item inside the function may name the type, as it may not name generics and `Self`.
    pub nameable: bool,
}

/// The parameters of a function, each with what it gives.
pub(super) struct Parameters<'f> {
    tree: &'f DecisionTree,
    given: Vec<Given<'f>>,
}

/// A parameter and what it gives.
pub(super) struct Given<'f> {
    pub(super) parameter: &'f Parameter,
    gives: Gives,
}

/// What a parameter gives.
enum Gives {
    Size,
    /// One of two labels; `first` is the value that stands for the first of them.
    Truth {
        first: bool,
    },
    /// One of several labels, each a variant of the enum at this path.
    Label {
        path: TokenStream,
        variants: Vec<Ident>,
    },
}

impl<'f> Parameters<'f> {
    /// # Errors
    ///
    /// Labels that make no variants of an enum where an enum must give them.
    pub(super) fn of(tree: &'f DecisionTree, parameters: &'f [Parameter]) -> Result<Self, Problems> {
        let mut check = Check::default();
        let axes = tree.domain().axes().iter().zip(parameters).enumerate();
        let given: Vec<Option<Given<'f>>> = axes
            .map(|(index, (axis, parameter))| {
                let gives = check.note(Gives::of(index, axis, parameter))?;
                Some(Given { parameter, gives })
            })
            .collect();
        check.finish(given.into_iter().collect()).map(|given| Self { tree, given })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Given<'f>> {
        self.given.iter()
    }

    /// Whether a `bool` gives the label on this axis.
    pub(super) fn is_bool(&self, axis: usize) -> bool {
        matches!(self.given[axis].gives, Gives::Truth { .. })
    }

    /// A condition, as an expression.
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

    /// Both sides or neither: turned so that no `bool` is negated.
    fn diagonal(&self, first: Bound, second: Bound) -> TokenStream {
        let (first, second) =
            if self.is_negated(first) { (first.other(), second.other()) } else { (first, second) };
        let operand = |bound: Bound| {
            let side = self.side(bound);
            if matches!(self.given[bound.axis].gives, Gives::Size) { quote!((#side)) } else { side }
        };
        let left = operand(first);
        if self.is_negated(second) {
            let right = operand(second.other());
            quote!(#left != #right)
        } else {
            let right = operand(second);
            quote!(#left == #right)
        }
    }

    fn is_negated(&self, bound: Bound) -> bool {
        matches!(self.given[bound.axis].gives, Gives::Truth { first } if first != bound.below)
    }

    fn side(&self, bound: Bound) -> TokenStream {
        let Bound { axis, at, below } = bound;
        let Given { parameter: Parameter { name, ty, .. }, gives } = &self.given[axis];
        match gives {
            Gives::Size => {
                let threshold = number(self.tree.threshold(axis, at), span_of(ty));
                if below { quote!(#name < #threshold) } else { quote!(#name >= #threshold) }
            }
            Gives::Truth { .. } if self.is_negated(bound) => quote!(!#name),
            Gives::Truth { .. } => quote!(#name),
            Gives::Label { path, variants } => {
                let side = if below { &variants[..at] } else { &variants[at..] };
                quote!(::core::matches!(#name, #(#path::#side)|*))
            }
        }
    }
}

impl Given<'_> {
    /// The parameter of an inner function that takes over: an enum of the user's may be one that cannot be copied.
    pub(super) fn inner(&self) -> TokenStream {
        let Parameter { name, ty, .. } = self.parameter;
        match self.gives {
            Gives::Label { .. } => quote!(#name: &#ty),
            Gives::Size | Gives::Truth { .. } => quote!(#name: #ty),
        }
    }

    /// What such a function is called with: by the function itself, or by another `inner` one.
    pub(super) fn argument(&self, inner: bool) -> TokenStream {
        let name = &self.parameter.name;
        match self.gives {
            Gives::Label { .. } if !inner => quote!(&#name),
            _ => quote!(#name),
        }
    }

    /// Whether the type is one that holds no negative size, as far as its name tells.
    pub(super) fn is_unsigned(&self) -> bool {
        let ty = self.parameter.ty.to_string();
        ["u8", "u16", "u32", "u64", "u128", "usize"].contains(&&*ty)
    }

    /// The number of the interval in which a label lies, as a `usize`: `firsts` are the first labels of all intervals but
    /// the first.
    pub(super) fn interval(&self, firsts: &[usize]) -> TokenStream {
        let name = &self.parameter.name;
        match &self.gives {
            Gives::Size | Gives::Truth { first: false } => quote!(#name as usize),
            Gives::Truth { first: true } => quote!(!#name as usize),
            Gives::Label { path, variants } => {
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
        match &self.gives {
            Gives::Label { path, variants } => Some((path, variants)),
            Gives::Size | Gives::Truth { .. } => None,
        }
    }
}

impl Gives {
    fn of(index: usize, axis: &Axis, parameter: &Parameter) -> Result<Self, Problems> {
        let Samples::Labels(labels) = &axis.samples else { return Ok(Self::Size) };
        if parameter.ty.to_string() == "bool" {
            return Ok(Self::Truth { first: labels[0].eq_ignore_ascii_case("true") });
        }
        let variants = variants::of_labels(index, labels)?;
        let span = span_of(&parameter.ty);
        let variants = variants.iter().map(|variant| Ident::new(variant, span)).collect();
        Ok(Self::Label { path: path(&parameter.ty), variants })
    }
}

/// What stands before a variant: the type, without the reference that a parameter may be.
fn path(ty: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = ty.clone().into_iter().collect();
    let is = |token: &TokenTree, char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == char);
    let named = match &tokens[..] {
        [and, apostrophe, TokenTree::Ident(_), rest @ ..] if is(and, '&') && is(apostrophe, '\'') => rest,
        [and, rest @ ..] if is(and, '&') => rest,
        all => all,
    };
    let path: TokenStream = named.iter().cloned().collect();
    match named {
        [TokenTree::Ident(_), .., TokenTree::Ident(_)] | [TokenTree::Ident(_)] => path,
        _ => quote!(<#path>),
    }
}
