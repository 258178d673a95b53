//! The parameters of a function, and the expressions that use them.

use super::number::number;
use super::types::{is_nonzero, is_unsigned, name, qualifier, span_of};
use super::variants;
use crate::domain::{Axis, Domain, Samples};
use crate::listing::in_backticks;
use crate::message::Message;
use crate::option_form::OptionForm;
use crate::problem::{Diagnostics, Path, Place, Problem, Problems};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

/// The option that sets which labels mean `true` for a `bool`.
pub const TRUE_LABEL: OptionForm = OptionForm {
    name: "true_label",
    value: "LABEL",
    help: "the label that means `true` for a `bool`, if the labels themselves do not show it; separate \
         several by commas",
};

/// The parameter that gives the size on one axis.
#[derive(Clone)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: Ident,
    /// The type of the parameter: an integer, or for a labelled axis `bool` or an enum with a variant for every label.
    pub ty: Type,
    /// Whether an item inside the function can name the type, which excludes generics and `Self`.
    pub nameable: bool,
}

pub(super) struct BoundParameter<'f> {
    pub(super) parameter: &'f Parameter,
    pub(super) kind: ParameterKind,
}

pub(super) enum ParameterKind {
    /// A size.
    Size,
    /// One of two labels; `first` is the value that means the first of them.
    Truth { first: bool },
    /// One of several labels, each a variant of the enum at this path.
    Label { path: TokenStream, variants: Vec<Ident> },
}

impl<'f> BoundParameter<'f> {
    /// Binds the parameters to the axes of a domain.
    ///
    /// # Errors
    ///
    /// Returns an error for labels that make no variants, where an enum must give them.
    pub(super) fn bind(
        domain: &Domain,
        parameters: &'f [Parameter],
        true_labels: &[String],
    ) -> Result<Vec<Self>, Problems> {
        let mut problems = Diagnostics::default();
        check_true_labels(domain, parameters, true_labels, &mut problems);
        let mut bound = Vec::with_capacity(parameters.len());
        for (index, (axis, parameter)) in domain.axes().iter().zip(parameters).enumerate() {
            let kind = problems.note(ParameterKind::from_axis(index, axis, parameter, true_labels));
            bound.extend(kind.map(|kind| Self { parameter, kind }));
        }
        problems.finish(Some(bound))
    }

    pub(super) fn is_bool(&self) -> bool {
        matches!(self.kind, ParameterKind::Truth { .. })
    }

    /// Returns the parameter of an inner function. An enum is passed by reference, because it may not be `Copy`.
    pub(super) fn inner(&self) -> TokenStream {
        let Parameter { name, ty, .. } = self.parameter;
        match self.kind {
            ParameterKind::Label { .. } => quote!(#name: &#ty),
            ParameterKind::Size | ParameterKind::Truth { .. } => quote!(#name: #ty),
        }
    }

    /// Returns the argument for an inner function, which is called by the function itself or by another `inner` one.
    pub(super) fn argument(&self, inner: bool) -> TokenStream {
        let name = &self.parameter.name;
        match self.kind {
            ParameterKind::Label { .. } if !inner => quote!(&#name),
            _ => quote!(#name),
        }
    }

    pub(super) fn size(&self) -> TokenStream {
        let name = &self.parameter.name;
        let is_nonzero = is_nonzero(&self.parameter.ty);
        if is_nonzero { quote!(#name.get()) } else { quote!(#name) }
    }

    /// Returns a number that is compared with the size.
    pub(super) fn number(&self, value: u64) -> Literal {
        number(value, span_of(&self.parameter.ty))
    }

    /// Returns whether another parameter has the same type, by its name.
    pub(super) fn has_type_of(&self, other: &Self) -> bool {
        let text = |bound: &Self| bound.parameter.ty.to_token_stream().to_string();
        text(self) == text(other)
    }

    /// Returns whether the type is unsigned, as far as its name shows.
    pub(super) fn is_unsigned(&self) -> bool {
        is_unsigned(&self.parameter.ty)
    }

    /// Returns the labels that an enum gives. It must have exactly these variants.
    pub(super) fn labels(&self) -> Option<(&TokenStream, &[Ident])> {
        match &self.kind {
            ParameterKind::Label { path, variants } => Some((path, variants)),
            ParameterKind::Size | ParameterKind::Truth { .. } => None,
        }
    }
}

impl ParameterKind {
    fn from_axis(
        index: usize,
        axis: &Axis,
        parameter: &Parameter,
        true_labels: &[String],
    ) -> Result<Self, Problems> {
        let Samples::Labels(labels) = &axis.samples else { return Ok(Self::Size) };
        // Only generated code gives a label by its position.
        if name(&parameter.ty).is_some_and(|name| name == "usize") {
            return Ok(Self::Size);
        }
        if is_bool(&parameter.ty) && labels.len() != 2 {
            let message = format!("a `bool` cannot represent {} labels", labels.len());
            let place = Path::root().key("axes").index(index).key("labels");
            return Err(Problem::new(place, message).help("use an enum with a variant for each").into());
        }
        if is_bool(&parameter.ty) {
            let named = labels.iter().position(|label| true_labels.contains(label));
            let is_named_twice = labels.iter().all(|label| true_labels.contains(label));
            return match named.filter(|_| !is_named_twice).or_else(|| axis.true_label()) {
                Some(truth) => Ok(Self::Truth { first: truth == 0 }),
                None => Err(ambiguous(index, axis, labels).into()),
            };
        }
        let variants = variants::of_labels(index, labels)?;
        let span = span_of(&parameter.ty);
        let variants = variants.iter().map(|variant| Ident::new(variant, span)).collect();
        Ok(Self::Label { path: qualifier(&parameter.ty), variants })
    }
}

fn is_bool(ty: &Type) -> bool {
    name(ty).is_some_and(|name| name == "bool")
}

/// Returns the problem that it is not clear which of two labels `true` means.
fn ambiguous(index: usize, axis: &Axis, labels: &[String]) -> Problem {
    let message = format!("`{}` is a `bool`: which of {} is `true`?", axis.name, in_backticks(labels));
    let place = Path::root().key("axes").index(index).key("labels");
    let label = labels.last().map_or("", |label| label);
    Problem::new(place, message)
        .help(Message::set(TRUE_LABEL.name, label))
        .help("use an enum with a variant for each")
}

/// Checks that every label in the option `true_label` is given by a `bool`.
fn check_true_labels(
    domain: &Domain,
    parameters: &[Parameter],
    true_labels: &[String],
    problems: &mut Diagnostics,
) {
    let mut given: Vec<&String> = Vec::new();
    for (axis, parameter) in domain.axes().iter().zip(parameters) {
        match &axis.samples {
            Samples::Labels(labels) if is_bool(&parameter.ty) => given.extend(labels),
            _ => {}
        }
    }
    for label in true_labels.iter().filter(|label| !given.contains(label)) {
        let message = Message::default().option(TRUE_LABEL.name);
        let message = message.text(format!(" names `{label}`, which is not a label of a `bool` parameter"));
        let problem = Problem::new(Place::File, message);
        problems.add(if given.is_empty() {
            problem
        } else {
            problem.help(format!("the labels are {}", in_backticks(&given)))
        });
    }
}
