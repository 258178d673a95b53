//! What the parameters of a function give.

use super::names::{is_identifier, upper_camel};
use super::tree::Tree;
use super::types::Type;
use crate::front::axis::Axis;
use crate::front::errors::Errors;
use crate::front::item::Function;
use crate::front::listing::in_backticks;
use crate::front::output::{at, user};
use crate::front::parameters::{Matched, Source};
use crate::front::token::{MIXED_SITE, Token};

/// The parameter that gives the size or label on one axis.
pub(super) struct Parameter<'t> {
    /// The code and the text of its name.
    pub(super) code: String,
    pub(super) name: String,
    pub(super) ty: Type<'t>,
    /// Whether an item inside the function can name the type.
    pub(super) is_nameable: bool,
    pub(super) gives: Gives,
}

/// What a parameter gives.
pub(super) enum Gives {
    Size,
    /// One of two labels; `first` is the value that means the first of them.
    Truth {
        first: bool,
    },
    /// One of several labels, each with the code of a variant.
    Label {
        path: String,
        variants: Vec<String>,
    },
}

/// The parameters of a function with this tree.
pub(super) struct Parameters<'a, 't> {
    pub(super) item: &'a Function<'t>,
    pub(super) tree: &'a Tree,
    pub(super) true_labels: Vec<String>,
    pub(super) errors: &'a mut Errors,
}

impl<'t> Parameters<'_, 't> {
    /// Returns the parameter of every axis.
    pub(super) fn of(mut self, matched: &Matched<'t>) -> Option<Vec<Parameter<'t>>> {
        let tree = self.tree;
        let mut parameters = Vec::new();
        for (index, axis) in tree.axes.iter().enumerate() {
            if let Some(source) = &matched.sources[index]
                && let Some(parameter) = self.parameter(axis, source)
            {
                parameters.push(parameter);
            }
        }
        self.check_true_labels(&parameters);
        (parameters.len() == tree.axes.len()).then_some(parameters)
    }

    fn parameter(&mut self, axis: &Axis, source: &Source<'t>) -> Option<Parameter<'t>> {
        let (code, name, ty, tokens) = match *source {
            Source::Parameter(name, ty) => {
                (user(std::slice::from_ref(name)), name.text.clone(), Type::new(ty), ty)
            }
            Source::Variable(ref name, ty, value) => {
                (at(MIXED_SITE, name), name.clone(), Type::generated(ty), value)
            }
        };
        if let (Source::Parameter(..), Some(fault)) = (source, type_fault(&ty, axis)) {
            self.errors.at(tokens, &fault);
            return None;
        }
        let is_nameable = ty.is_nameable(&self.item.generics);
        Some(Parameter { code, name, is_nameable, gives: self.gives(axis, &ty, tokens)?, ty })
    }

    /// Returns what a parameter of this type gives, or reports what is wrong at some tokens.
    fn gives(&mut self, axis: &Axis, ty: &Type<'_>, tokens: &[Token]) -> Option<Gives> {
        // The position of a label is generated code alone.
        if !axis.is_labelled() || ty.is("usize") {
            return Some(Gives::Size);
        }
        if ty.is("bool") {
            let is_named = |label: &String| self.true_labels.contains(label);
            let truth = match (is_named(&axis.labels[0]), is_named(&axis.labels[1])) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                _ => axis.true_label(),
            };
            if let Some(truth) = truth {
                return Some(Gives::Truth { first: truth == 0 });
            }
            let message = format!(
                "`{}` is a `bool`: which of {} is `true`?\n\
                 help: use `true_label = {:?}`, or use an enum with a variant for each",
                axis.name,
                in_backticks(&axis.labels),
                axis.labels[1]
            );
            self.errors.at(tokens, &message);
            return None;
        }
        let mut variants: Vec<String> = Vec::new();
        for label in &axis.labels {
            let variant = at(ty.place(), &upper_camel(label));
            if !is_identifier(&upper_camel(label)) || variants.contains(&variant) {
                let message =
                    format!("the label `{label}` cannot be an enum variant\nhelp: choose another label");
                self.errors.at(tokens, &message);
                return None;
            }
            variants.push(variant);
        }
        Some(Gives::Label { path: ty.qualifier(), variants })
    }

    /// Reports labels in the option `true_label` that no `bool` gives.
    fn check_true_labels(&mut self, parameters: &[Parameter<'_>]) {
        let tree = self.tree;
        let is_given = |label: &String| {
            tree.axes.iter().zip(parameters).any(|(axis, parameter)| {
                axis.labels.contains(label) && matches!(parameter.gives, Gives::Truth { .. })
            })
        };
        for label in &self.true_labels {
            if parameters.len() == tree.axes.len() && !is_given(label) {
                let message =
                    format!("`true_label` names `{label}`, which is not a label of a `bool` parameter");
                self.errors.place(self.item.name.place, &message);
            }
        }
    }
}

/// Returns why a type cannot give the size or label on an axis; `None` if it can, as far as its name shows.
fn type_fault(ty: &Type<'_>, axis: &Axis) -> Option<String> {
    if !axis.is_labelled() {
        let is_sound = ty.is_path() && !ty.is_other();
        let (first, last) = (axis.values.first()?, axis.values.last()?);
        let message =
            format!("a size must be an integer: the axis `{}` has the samples {first} to {last}", axis.name);
        return (!is_sound).then_some(message);
    }
    let referent = ty.referent();
    let is_sound = if ty.is("bool") {
        axis.labels.len() == 2
    } else {
        referent.is_path() && !referent.is_other() && !referent.is_integer()
    };
    let bool = if axis.labels.len() == 2 { "a `bool` or " } else { "" };
    let message = format!(
        "a labelled axis needs {bool}an enum with a variant for each label: the axis `{}` has the labels {}",
        axis.name,
        axis.labels.join(", ")
    );
    (!is_sound).then_some(message)
}
