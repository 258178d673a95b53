//! The attribute on a function: the map becomes its body.

use qtdec_core::code::{Function, QuadrantStyle, ReturnKind, Wrapper};
use qtdec_core::tokens::arguments::word;
use qtdec_core::tokens::{Code, Span, Token};
use qtdec_core::tree::TreeRef;
use qtdec_core::{Domain, Options, Place, Syntax, rust, visible};

use crate::whole::arguments::{Arguments, GivenOption};
use crate::whole::declared::declares;
use crate::whole::duplicate;
use crate::whole::errors::Errors;
use crate::whole::file::MapFile;
use crate::whole::item::MapFn;
use crate::whole::nameable::is_nameable;
use crate::whole::parameters::{Matched, parameters};
use crate::whole::spans::Spans;
use crate::whole::warning::warning;

pub(crate) fn expand(arguments: &Arguments, item: &MapFn<'_>, mut errors: Errors, spans: &mut Spans) -> Code {
    let attributes = duplicate::check(&item.attributes, &mut errors);
    let decided = decide(arguments, item, &mut errors, spans);
    let is_documented = attributes.iter().any(|attribute| attribute.first().and_then(word) == Some("doc"));
    let attributes: Vec<Code> = attributes.into_iter().map(code).collect();
    let (visibility, signature) = (code(item.visibility), code(item.signature));
    match decided {
        Some(Decided { doc, tracker, warnings, decision }) if errors.is_empty() => {
            let gap = is_documented.then(|| rust!("#[doc = \"\"]"));
            rust!(
                "#(#[#attributes])* #gap #[doc = #doc] #visibility #signature { #tracker #warnings #decision }";
                attributes, gap, doc, visibility, signature, tracker, warnings, decision
            )
        }
        // Keep the item, so that code that uses it causes no further errors.
        _ => {
            let errors = errors.to_code();
            let body = item.body.cloned().unwrap_or_else(|| rust!("::core::unimplemented!()"));
            rust!(
                "#(#[#attributes])* #[allow(unused_variables, unreachable_code)] #visibility #signature { #errors #body }";
                attributes, visibility, signature, errors, body
            )
        }
    }
}

fn code(tokens: &[Token]) -> Code {
    tokens.to_vec().into()
}

/// The parts of a function that come from its map.
struct Decided {
    doc: String,
    tracker: Code,
    warnings: Code,
    decision: Code,
}

fn decide(
    arguments: &Arguments,
    item: &MapFn<'_>,
    errors: &mut Errors,
    spans: &mut Spans,
) -> Option<Decided> {
    let returned = returned(arguments, item, errors);
    let [name, others @ ..] = &arguments.files[..] else {
        options(&arguments.options, errors);
        if errors.is_empty() {
            errors.span(Span::CALL_SITE, "expected a path: #[decision_map(\"maps/file.json\")]");
        }
        return None;
    };
    for other in others {
        errors.span(other.span, "a function takes a single map");
    }
    let file = MapFile::open(name, spans, errors);
    let Some((file, document)) = file.and_then(|file| file.document(errors).map(|document| (file, document)))
    else {
        options(&arguments.options, errors);
        return None;
    };
    let (constants, given) = constants(&arguments.options, document.domain());
    let options = options(&given, errors)?;
    let contradicted = document.warning();
    let has_gaps = document.has_gaps();
    if item.body.is_some_and(Code::is_empty) {
        errors.name(
            item.name,
            "the body is empty, and returns nothing where the map has no decision\n\
             help: end the function with `;` instead of `{}`, or let the body return an answer",
        );
    }
    let tree = file.check(options.any_tree(document), errors)?;
    let tree = TreeRef::from(&tree);
    let matched = parameters(arguments, &constants, item, tree.domain(), spans, errors);
    let (returns, wrapper) = returned?;
    let nameable = is_nameable(returns.ty().tokens(), &item.generics);
    let Matched { parameters, statements } = matched?;
    let function = Function {
        tree,
        parameters,
        returns,
        wrapper,
        nameable,
        variants_at: file.span(),
        true_labels: options.true_labels().to_vec(),
        quadrants: QuadrantStyle { error: options.error().map(str::to_owned), named: false },
        in_scope: [code(item.signature), statements.clone()].into_iter().collect(),
        fallback: item.body.cloned(),
    };
    let aliases = function.alias_checks(|name, variants| declares(name, variants, file.name(), spans));
    let decision = file.check(function.body(options.layout()), errors)?.code;
    let decision = rust!("#aliases #statements #decision"; aliases, statements, decision);
    let doc = format!("{}{}`: {}.", duplicate::DECIDED_BY, visible::line(file.name()), tree.size());
    let idle = item.body.filter(|_| tree.is_total()).map(|body| {
        let hint = if has_gaps { "; `empty = \"strict\"` leaves its empty cells to the body" } else { "" };
        let message = format!("the body never runs: the map answers everywhere{hint}");
        warning(body.tokens().first().map_or(item.name.span, Token::span), &message, spans)
    });
    let contradicted = contradicted.map(|message| warning(file.span(), &message, spans));
    let warnings = rust!("#idle #contradicted"; idle, contradicted);
    Some(Decided { doc, tracker: file.tracker(), warnings, decision })
}

/// Separates the constants on axes from the options. A name that is both is an option; `axis(…)` is for the axis then.
fn constants(given: &[GivenOption], domain: &Domain) -> (Vec<GivenOption>, Vec<GivenOption>) {
    let known = Options::names();
    given.iter().cloned().partition(|option| {
        let name = option.name.name();
        option.literal.is_some() && !known.contains(&name) && domain.find_axis(name).is_some()
    })
}

fn options(given: &[GivenOption], errors: &mut Errors) -> Option<Options> {
    let texts: Vec<(&str, &str)> = given.iter().map(|option| (option.name.text(), &*option.value)).collect();
    match Options::parse(&texts) {
        Ok(options) => Some(options.while_compiling()),
        Err(faults) => {
            for fault in &faults {
                let Place::Option { index, is_value } = fault.place else { continue };
                let GivenOption { name, value_span, .. } = &given[index];
                let span = if is_value { *value_span } else { name.span };
                errors.span(span, fault.message.render(Syntax::Attribute));
            }
            None
        }
    }
}

/// Returns what the function returns for a method, according to its return type.
fn returned(arguments: &Arguments, item: &MapFn<'_>, errors: &mut Errors) -> Option<(ReturnKind, Wrapper)> {
    let what = "return an enum, an integer or `&'static str`, bare or in an `Option` or `Result`; for any other \
                type, give an expression for each method: #[decision_map(…, answers(name = EXPRESSION, …))]";
    let Some(ty) = item.returned else {
        errors.at(item.signature, format!("the function has no return type\nhelp: {what}"));
        return None;
    };
    if !arguments.answers.is_empty() {
        let answers = arguments.answers.iter();
        let answers = answers.map(|answer| (answer.label.clone(), answer.value.clone())).collect();
        return Some(ReturnKind::own(&code(ty), answers));
    }
    let returns = ReturnKind::from_type(&code(ty));
    if returns.is_none() {
        errors.at(ty, what);
    }
    returns
}
