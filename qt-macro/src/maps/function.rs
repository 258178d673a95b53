//! The attribute on a function: the map becomes its body.

use qtdec_core::code::{Function, Parameter, QuadrantStyle, ReturnKind, Wrapper, type_fault};
use qtdec_core::tokens::{Code, Ident, Span, Token};

use qtdec_core::{Domain, Options, Place, Samples, Syntax, rust, visible};

use super::code::{code, text};
use super::declared::declares;
use super::file;
use super::literal::value;
use crate::front::arguments::{Arguments, FileName, Given};
use crate::front::axis::Axis;
use crate::front::errors::Errors;
use crate::front::function::{Decided, RETURNED};
use crate::front::item::Function as Item;
use crate::front::listing::in_backticks;
use crate::front::output::warning;
use crate::front::parameters::{Matched, Matching, Source, separated};
use crate::front::token::first_place;

/// Returns the documentation and the body of a function.
pub(super) fn decide(
    name: &FileName<'_>,
    arguments: &Arguments<'_>,
    item: &Item<'_>,
    errors: &mut Errors,
) -> Option<Decided> {
    let returned = returned(arguments, item, errors);
    let read = file::open(name, errors).and_then(|file| {
        let document = file.document(errors)?;
        Some((file, document))
    });
    let axes = read.as_ref().map_or(&[][..], |(_, document)| document.domain().axes());
    let axes: Vec<Axis> = axes.iter().map(axis).collect();
    let names = format!(" {} ", Options::names().join(" "));
    let (of_axes, of_options) = separated(&arguments.given, &axes, &names);
    let options = options(&of_options, errors);
    let (file, document) = read?;
    let options = options?;
    let contradicted = document.warning();
    let has_gaps = document.has_gaps();
    let tree = file.check(options.tree(document), errors)?;
    let tree = &tree;
    let matching = Matching { item, axes: &axes, given: of_axes, options: &names, errors: &mut *errors };
    let matched = matching.matched();
    let parameters = parameters(item, tree.domain(), &matched, &options, errors);
    let (returns, wrapper) = returned?;
    let values = matched.sources.iter().flatten().filter_map(|source| match source {
        Source::Parameter(..) => None,
        Source::Variable(_, _, value) => Some(code(value)),
    });
    let function = Function {
        tree,
        parameters: parameters?,
        nameable: is_nameable(&returns.ty(), &item.generics),
        returns,
        wrapper,
        variants_at: Span::new(file.place),
        true_labels: options.true_labels().to_vec(),
        quadrants: QuadrantStyle { error: options.error().map(str::to_owned), named: false },
        in_scope: [code(item.signature)].into_iter().chain(values).collect(),
        fallback: item.body.map(code),
    };
    let aliases = text(&function.alias_checks(|name, variants| declares(name, variants, &file.name)));
    let decision = text(&file.check(function.body(options.layout()), errors)?.code);
    let mut warnings = String::new();
    if let Some(body) = item.body
        && tree.is_total()
    {
        let hint = if has_gaps { "; `empty = \"strict\"` leaves its empty cells to the body" } else { "" };
        let message = format!("the body never runs: the map answers everywhere{hint}");
        warnings += &warning(first_place(body, item.name), &message);
    }
    if let Some(message) = contradicted {
        warnings += &warning(file.place, &message);
    }
    let (tracker, statements) = (file.tracker(), matched.statements);
    let by = format!("`{}`: {}", visible::line(&file.name), tree.statistics().size());
    Some(Decided { by, body: format!("{tracker} {warnings} {aliases} {statements} {decision}") })
}

/// Returns an axis for the front end.
fn axis(axis: &qtdec_core::Axis) -> Axis {
    let (values, labels) = match axis.samples.clone() {
        Samples::Values(values) => (values, Vec::new()),
        Samples::Labels(labels) => (Vec::new(), labels),
    };
    Axis { name: axis.name.clone(), values, labels }
}

fn options(given: &[&Given<'_>], errors: &mut Errors) -> Option<Options> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for given in given {
        let text = match given.value {
            [] => Some("true".to_owned()),
            [literal, ..] => value(literal),
        };
        let Some(text) = text else {
            errors.at(given.value, "expected a number, a string, `true` or `false`");
            return None;
        };
        texts.push((given.name.text.clone(), text));
    }
    match Options::parse(&texts) {
        Ok(options) => Some(options.while_compiling()),
        Err(faults) => {
            for fault in &faults {
                let Place::Option { index, is_value } = fault.place else { continue };
                let Given { name, value, .. } = given[index];
                let place = if is_value { first_place(value, name) } else { name.place };
                errors.place(place, &fault.message.render(Syntax::Attribute));
            }
            None
        }
    }
}

/// Returns what the function returns for a method, according to its return type.
fn returned(
    arguments: &Arguments<'_>,
    item: &Item<'_>,
    errors: &mut Errors,
) -> Option<(ReturnKind, Wrapper)> {
    let ty = code(item.returned);
    if ty.is_empty() {
        return None;
    }
    if !arguments.answers.is_empty() {
        let answers = arguments.answers.iter();
        let answers = answers.map(|(label, given)| (label.clone(), code(given.value))).collect();
        return Some(ReturnKind::own(&ty, answers));
    }
    let returns = ReturnKind::from_type(&ty);
    if returns.is_none() {
        errors.at(item.returned, RETURNED);
    }
    returns
}

/// Returns the parameter of every axis, and reports types and expressions that do not fit.
fn parameters(
    item: &Item<'_>,
    domain: &Domain,
    matched: &Matched<'_>,
    options: &Options,
    errors: &mut Errors,
) -> Option<Vec<Parameter>> {
    let mut parameters = Vec::new();
    for (axis, source) in domain.axes().iter().zip(&matched.sources) {
        let Some(source) = source else { continue };
        parameters.push(match source {
            Source::Parameter(name, tokens) => {
                let mut ty = code(tokens);
                let nameable = is_nameable(&ty, &item.generics);
                if let Some(fault) = type_fault(&ty, axis) {
                    errors.at(tokens, &fault);
                    // The error about a `bool` is reported already; check the rest as for an enum.
                    if matches!(&axis.samples, Samples::Labels(labels) if labels.len() > 2) {
                        ty = rust!("Labels");
                    }
                }
                let name = Ident::new(&name.text, Span::new(name.place));
                Parameter { name, ty, nameable }
            }
            Source::Variable(_, "bool", value)
                if options.true_labels().is_empty() && axis.true_label().is_none() =>
            {
                let message = format!(
                    "an expression for the axis `{}` is a `bool`: which of {} is `true`?\n\
                     help: set `true_label`, give one label in quotes, or make the axis a parameter of an enum",
                    axis.name,
                    in_backticks(&self::axis(axis).labels)
                );
                errors.at(value, &message);
                continue;
            }
            Source::Variable(name, ty, _) => {
                let ty = Code::parse(ty).unwrap_or_default();
                Parameter { name: Ident::new(name, Span::MIXED_SITE), ty, nameable: true }
            }
        });
    }
    (parameters.len() == domain.axes().len()).then_some(parameters)
}

/// Returns whether an item inside a function can name a type, which has neither `Self` nor one of these generics.
fn is_nameable(ty: &Code, generics: &[&str]) -> bool {
    ty.tokens().iter().all(|token| match token {
        Token::Ident(ident) => ident.text() != "Self" && !generics.contains(&ident.text()),
        Token::Group(group) => is_nameable(&group.code, generics),
        _ => true,
    })
}
