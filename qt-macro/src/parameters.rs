//! The parameters of a function, matched to the axes of its tree.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use qtdec_core::code::{Parameter, type_fault};
use qtdec_core::listing::in_backticks;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{Axis, Options, Samples};
use quote::{ToTokens, format_ident, quote};
use syn::{Lit, Type, parse_quote};

use crate::arguments::Given;
use crate::errors::Errors;
use crate::item::{Declared, Function};
use crate::tokens::{identifiers, literal, mentions, name, only, text};

/// Separates what is given for axes from options. A name that is both an axis and an option is an option, unless it is in `axis(…)`.
pub(crate) fn separated<'g>(
    given: &'g [Given],
    axes: &[Axis],
    options: &[&str],
) -> (Vec<&'g Given>, Vec<&'g Given>) {
    given.iter().partition(|given| {
        let is_option = options.iter().any(|option| given.name == option);
        let names_axis = !is_option && is_axis(axes, &name(&given.name));
        given.is_axis || !given.value.is_empty() && (names_axis || literal(&given.value).is_none())
    })
}

fn is_axis(axes: &[Axis], name: &str) -> bool {
    axes.iter().any(|axis| axis.name == name)
}

/// What gives the size or label on an axis.
enum Source<'f> {
    Parameter(Ident, &'f Type),
    /// A variable with its type and the user's tokens for its value.
    Variable {
        name: Ident,
        is_bool: bool,
        value: TokenStream,
    },
}

/// The sources of all axes, of which one that cannot be had is reported and `None`.
pub(crate) struct Matched<'f> {
    sources: Vec<Option<Source<'f>>>,
    /// The statements that define the variables.
    pub(crate) statements: TokenStream,
}

/// A function that is to be matched to the axes of a tree.
pub(crate) struct Matching<'a, 'e> {
    pub(crate) item: &'a Function,
    pub(crate) axes: &'a [Axis],
    /// What the attribute gives for axes.
    pub(crate) given: Vec<&'a Given>,
    /// The names of all options.
    pub(crate) options: &'a [&'static str],
    pub(crate) errors: &'e mut Errors,
}

impl<'a> Matching<'a, '_> {
    /// Returns the source of every axis, found by the axis's name or by the name or expression that the attribute gives.
    pub(crate) fn matched(mut self) -> Matched<'a> {
        // The axes that are given. A misspelled name counts as the one that was meant, so that it is one error.
        let given = self.given.clone();
        let meant: Vec<Option<String>> = given.iter().map(|given| self.meant_axis(given)).collect();
        let misnamed = meant.iter().flatten().filter(|axis| !is_axis(self.axes, axis)).count();
        let mut matched = Matched { sources: Vec::new(), statements: TokenStream::new() };
        let (mut taken, mut missing) = (Vec::new(), Vec::new());
        for (index, axis) in self.axes.iter().enumerate() {
            let mut of_axis =
                given.iter().zip(&meant).filter(|(_, meant)| meant.as_ref() == Some(&axis.name));
            let value = of_axis.next().map(|(given, _)| &given.value);
            for (repeated, _) in of_axis {
                self.errors.at(&repeated.name, format!("the axis `{}` is given twice", axis.name));
            }
            let named = value.map_or_else(|| Some(axis.name.clone()), |value| self.meant_parameter(value));
            let place = named.as_ref().and_then(|name| self.place(name));
            let source = match (place, value) {
                (Some(place), _) => {
                    let declared = &self.item.parameters[place];
                    if taken.contains(&place) {
                        let message = format!("`{}` gives the size on two axes", declared.name());
                        self.errors.at(&declared.pattern, message);
                    }
                    taken.push(place);
                    declared.ident().map(|name| Source::Parameter(name, &declared.ty))
                }
                (None, None) => {
                    missing.push(&*axis.name);
                    None
                }
                (None, Some(value)) if named.is_none() => {
                    self.computed(axis, value).map(|(code, is_bool)| {
                        // An item of the user's could have a shorter name, and a pattern with the name of a constant is that constant.
                        let name = format_ident!("qtdec_axis_{index}", span = Span::mixed_site());
                        let ty = variable_type(is_bool);
                        matched.statements.extend(quote!(let #name: #ty = #code;));
                        Source::Variable { name, is_bool, value: value.clone() }
                    })
                }
                (None, Some(_)) => None,
            };
            matched.sources.push(source);
        }
        // A parameter given for something that is not an axis has been reported already, and is that of a missing axis.
        if misnamed >= missing.len() {
            missing.clear();
        }
        self.report_unmatched(&taken, &missing);
        matched
    }

    /// Returns the place of the parameter with this name.
    fn place(&self, name: &str) -> Option<usize> {
        self.item.parameters.iter().position(|declared| declared.name() == name && !name.is_empty())
    }

    /// Returns the axis that a name means; `None` if it means an option.
    fn meant_axis(&mut self, given: &Given) -> Option<String> {
        let name = name(&given.name);
        if is_axis(self.axes, &name) {
            return Some(name);
        }
        if self.options.contains(&&*name) {
            let value = text(&given.value);
            self.errors
                .at(&given.value, format!("the value of an option must be in quotes: {name} = {value:?}"));
            return None;
        }
        let axes = self.axes.iter().map(|axis| &*axis.name);
        let meant = did_you_mean(&name, axes.chain(self.options.iter().copied()));
        let (listed, help) = (listed(self.axes), help(meant));
        let written = &given.name;
        self.errors
            .at(written, format!("`{written}` is not an axis of the map, whose axes are {listed}{help}"));
        match meant {
            None => Some(name),
            Some(meant) if self.options.contains(&meant) => None,
            Some(meant) => Some(meant.to_owned()),
        }
    }

    /// Returns the parameter that a value names, if it is a name. Constants are recognised by their capitals.
    fn meant_parameter(&mut self, value: &TokenStream) -> Option<String> {
        let Some(TokenTree::Ident(ident)) = only(value).filter(|_| literal(value).is_none()) else {
            return None;
        };
        let name = name(&ident);
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let is_declared = self.place(&name).is_some();
        if is_declared || is_constant {
            return Some(name).filter(|_| is_declared);
        }
        let known: Vec<String> = self.item.parameters.iter().map(Declared::name).collect();
        let meant = did_you_mean(&name, known.iter().map(String::as_str));
        self.errors.at(&ident, format!("the function has no parameter `{name}`{}", help(meant)));
        Some(meant.map_or(name, str::to_owned))
    }

    /// Returns the code of an expression or constant for an axis, and whether it is a `bool` and no `usize`.
    fn computed(&mut self, axis: &Axis, value: &TokenStream) -> Option<(TokenStream, bool)> {
        let name = &axis.name;
        let fault = match (&axis.samples, literal(value)) {
            (Samples::Values(_), Some(Lit::Int(size))) if matches!(size.suffix(), "" | "usize") => {
                return Some((value.clone(), false));
            }
            (Samples::Values(values), Some(_)) => {
                format!("a size on the axis `{name}` is a whole number, such as {}", values[0])
            }
            (Samples::Labels(labels), Some(Lit::Str(text))) => {
                let text = text.value();
                if let Some(position) = labels.iter().position(|label| *label == text) {
                    return Some((Literal::usize_suffixed(position).to_token_stream(), false));
                }
                let help = help(did_you_mean(&text, labels.iter().map(String::as_str)));
                let listed = in_backticks(labels);
                format!("`{text}` is not a label of the axis `{name}`, whose labels are {listed}{help}")
            }
            (Samples::Labels(labels), Some(Lit::Bool(_))) if labels.len() == 2 => {
                return Some((value.clone(), true));
            }
            (Samples::Labels(labels), Some(_)) => {
                format!("the axis `{name}` has the labels {}", in_backticks(labels))
            }
            (Samples::Values(_), None) => return Some((value.clone(), false)),
            (Samples::Labels(labels), None) if labels.len() == 2 => return Some((value.clone(), true)),
            (Samples::Labels(labels), None) => format!(
                "an expression cannot give one of the labels {}\n\
                 help: give the axis `{name}` by a parameter of an enum, or one label in quotes",
                in_backticks(labels)
            ),
        };
        self.errors.at(value, fault);
        None
    }

    /// Reports axes without a parameter, and parameters without an axis that nothing uses.
    fn report_unmatched(&mut self, taken: &[usize], missing: &[&str]) {
        let mut unknown = Vec::new();
        for (place, declared) in self.item.parameters.iter().enumerate() {
            let (name, pattern) = (declared.name(), &declared.pattern);
            let is_unused = name.starts_with('_') || text(pattern) == "_";
            let is_matched = taken.contains(&place) || is_axis(self.axes, &name) || is_unused;
            if !is_matched && self.item.body.is_none() && !self.is_used(pattern) {
                unknown.push(declared);
            }
        }
        let unnamed = unknown.iter().find(|declared| declared.name().is_empty());
        if let (Some(declared), [axis, ..]) = (unnamed, missing) {
            let message = format!(
                "a pattern gives no size: name the parameter, and give its parts by expressions\n\
                 help: with `sizes` in place of `{}`, write #[decision_map(…, {axis} = sizes.0)]",
                text(&declared.pattern)
            );
            return self.errors.at(&declared.pattern, message);
        }
        if let ([axis], [Declared { pattern, .. }]) = (missing, &unknown[..]) {
            let name = text(pattern);
            let message = format!(
                "`{name}` is not an axis of the map, and no parameter gives the size on axis `{axis}`\n\
                 help: rename it to `{axis}`, or write #[decision_map(…, {axis} = {name})]"
            );
            return self.errors.at(pattern, message);
        }
        for axis in missing {
            let message = format!(
                "no parameter gives the size on axis `{axis}`\n\
                 help: add `{axis}: usize`, or name the parameter that does: #[decision_map(…, {axis} = size)]"
            );
            self.errors.at(&self.item.name, message);
        }
        for Declared { pattern, .. } in unknown {
            let message = format!(
                "`{}` is not an axis of the map, whose axes are {}\n\
                 help: begin the name with `_`, or give the function a body that uses it",
                text(pattern),
                listed(self.axes)
            );
            self.errors.at(pattern, message);
        }
    }

    /// Returns whether something that the attribute gives uses a parameter, or a part of its pattern.
    fn is_used(&self, pattern: &TokenStream) -> bool {
        identifiers(pattern).iter().any(|name| self.given.iter().any(|given| mentions(&given.value, name)))
    }
}

impl Matched<'_> {
    /// Returns the user's expressions for axes.
    pub(crate) fn values(&self) -> Vec<&TokenStream> {
        let values = self.sources.iter().flatten().filter_map(|source| match source {
            Source::Parameter(..) => None,
            Source::Variable { value, .. } => Some(value),
        });
        values.collect()
    }

    /// Returns the parameter of every axis, and reports types and expressions that do not fit.
    pub(crate) fn parameters(
        &self,
        item: &Function,
        axes: &[Axis],
        options: &Options,
        errors: &mut Errors,
    ) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        for (axis, source) in axes.iter().zip(&self.sources) {
            parameters.extend(match source {
                Some(Source::Parameter(name, ty)) => Some(declared(name, ty, item, axis, errors)),
                Some(Source::Variable { name, is_bool, value }) => {
                    if *is_bool && options.true_labels().is_empty() && axis.true_label().is_none() {
                        errors.at(value, ambiguous(axis));
                        None
                    } else {
                        Some(Parameter { name: name.clone(), ty: variable_type(*is_bool), nameable: true })
                    }
                }
                None => None,
            });
        }
        (parameters.len() == axes.len()).then_some(parameters)
    }
}

/// Returns the type of a variable with the size or label on an axis.
fn variable_type(is_bool: bool) -> Type {
    if is_bool { parse_quote!(bool) } else { parse_quote!(usize) }
}

/// Returns a parameter of the user's, and reports a type that does not fit.
fn declared(name: &Ident, ty: &Type, item: &Function, axis: &Axis, errors: &mut Errors) -> Parameter {
    let nameable = item.can_name(&ty.to_token_stream());
    let mut ty = ty.clone();
    if let Some(generic) = item.generic(&ty) {
        let needed = if axis.values().is_some() { "an integer, such as `usize`" } else { "an enum" };
        let name = &axis.name;
        let message = format!(
            "the type of the axis `{name}` must be {needed}, and `{generic}` is generic\n\
             help: let the function take that type, or give its value: #[decision_map(…, {name} = EXPRESSION)]"
        );
        errors.at(&ty, message);
    } else if let Some(fault) = type_fault(&ty, axis) {
        errors.at(&ty, fault);
        // The error about a `bool` is reported already; check the rest as for an enum.
        if matches!(&axis.samples, Samples::Labels(labels) if labels.len() > 2) {
            ty = parse_quote!(Labels);
        }
    }
    Parameter { name: name.clone(), ty, nameable }
}

fn ambiguous(axis: &Axis) -> String {
    let Samples::Labels(labels) = &axis.samples else { return String::new() };
    format!(
        "an expression for the axis `{}` is a `bool`: which of {} is `true`?\n\
         help: set `true_label`, give one label in quotes, or make the axis a parameter of an enum",
        axis.name,
        in_backticks(labels)
    )
}

/// Returns the names of axes in backticks.
fn listed(axes: &[Axis]) -> String {
    in_backticks(&axes.iter().map(|axis| &axis.name).collect::<Vec<_>>())
}

/// Returns the help for a misspelled name, if a known one is similar.
fn help(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("\nhelp: did you mean `{meant}`?"))
}
