//! The attribute on a function: the map becomes its body.

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{Function, QuadrantStyle, ReturnKind, Wrapper};
use qtdec_core::encode::SearchLimit;
use qtdec_core::{Domain, Options, Syntax, visible};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, ReturnType, Signature};

use crate::declared::declares;
use crate::duplicate;
use crate::errors::Errors;
use crate::file::MapFile;
use crate::nameable::is_nameable;
use crate::parameters::{Matched, parameters};
use crate::parse::{Arguments, GivenOption, MapFn};
use crate::tokens::Spans;
use crate::warning::warning;

pub(crate) fn expand(arguments: &Arguments, mut item: MapFn, mut errors: Errors) -> TokenStream {
    duplicate::check(&mut item.attrs, &mut errors);
    let decided = decide(arguments, &item, &mut errors);
    let MapFn { attrs, vis, sig, body } = item;
    match decided {
        Some(Decided { doc, tracker, warnings, decision }) if errors.is_empty() => {
            let gap = attrs.iter().any(is_doc).then(|| quote!(#[doc = ""]));
            quote!(#(#attrs)* #gap #[doc = #doc] #vis #sig { #tracker #warnings #decision })
        }
        // Keep the item, so that code that uses it causes no further errors.
        _ => {
            let errors = errors.to_tokens();
            let body = body.unwrap_or_else(|| quote!(::core::unimplemented!()));
            quote!(#(#attrs)* #[allow(unused_variables, unreachable_code)] #vis #sig { #errors #body })
        }
    }
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The parts of a function that come from its map.
struct Decided {
    doc: String,
    tracker: TokenStream,
    warnings: TokenStream,
    decision: TokenStream,
}

fn decide(arguments: &Arguments, item: &MapFn, errors: &mut Errors) -> Option<Decided> {
    let mut spans = Spans::new();
    let returned = returned(arguments, &item.sig, &mut spans, errors);
    let [name, others @ ..] = &arguments.files[..] else {
        options(&arguments.options, errors);
        if errors.is_empty() {
            errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
        }
        return None;
    };
    for other in others {
        errors.span(other.span, "a function takes a single map");
    }
    let file = MapFile::open(name, errors);
    let Some((file, document)) = file.and_then(|file| file.document(errors).map(|document| (file, document)))
    else {
        options(&arguments.options, errors);
        return None;
    };
    let (constants, given) = constants(&arguments.options, document.domain());
    let options = options(&given, errors)?;
    let contradicted = document.warning();
    let has_gaps = document.has_gaps();
    if item.body.as_ref().is_some_and(TokenStream::is_empty) {
        errors.at(
            &item.sig.ident,
            "the body is empty, and returns nothing where the map has no decision\n\
             help: end the function with `;` instead of `{}`, or let the body return an answer",
        );
    }
    let tree = file.check(options.tree(document), errors)?;
    let matched = parameters(arguments, &constants, item, &tree, &mut spans, errors);
    let (returns, wrapper) = returned?;
    let nameable = is_nameable(&returns.ty(), &item.sig.generics);
    let Matched { parameters, statements } = matched?;
    let function = Function {
        tree: &tree,
        parameters,
        returns,
        wrapper,
        nameable,
        variants_at: spans.add(file.span()),
        true_labels: options.true_labels().to_vec(),
        quadrants: QuadrantStyle { error: options.error().map(str::to_owned), named: false },
        in_scope: [spans.code(&item.sig), spans.code(&statements)].into_iter().collect(),
        fallback: item.body.as_ref().map(|body| spans.code(body)),
    };
    let aliases = function.alias_checks(|name, variants| {
        let variants: Vec<Ident> = variants.iter().map(|variant| spans.name(variant)).collect();
        declares(&spans.name(name), &variants, file.name())
    });
    let decision = file.check(function.body(options.layout()), errors)?.code;
    let (aliases, decision) = (spans.tokens(&aliases), spans.tokens(&decision));
    let decision = quote!(#aliases #statements #decision);
    let doc =
        format!("{}{}`: {}.", duplicate::DECIDED_BY, visible::line(file.name()), tree.statistics().summary());
    let idle = item.body.as_ref().filter(|_| tree.is_total()).map(|body| {
        let first = body.clone().into_iter().next();
        let hint = if has_gaps { "; `empty = \"strict\"` leaves its empty cells to the body" } else { "" };
        let message = format!("the body never runs: the map answers everywhere{hint}");
        warning(first.map_or(item.sig.ident.span(), |first| first.span()), &message)
    });
    let contradicted = contradicted.map(|message| warning(file.span(), &message));
    let warnings = quote!(#idle #contradicted);
    Some(Decided { doc, tracker: file.tracker(), warnings, decision })
}

/// Separates the constants on axes from the options. A name that is both is an option; `axis(…)` is for the axis then.
fn constants(given: &[GivenOption], domain: &Domain) -> (Vec<GivenOption>, Vec<GivenOption>) {
    let forms = Options::forms().into_iter().map(|(form, _)| form.name);
    let known: Vec<&str> = forms.chain(Options::code_option_names()).collect();
    given.iter().cloned().partition(|option| {
        let name = option.name.unraw().to_string();
        option.literal.is_some() && !known.contains(&&*name) && domain.find_axis(&name).is_some()
    })
}

fn options(given: &[GivenOption], errors: &mut Errors) -> Option<Options> {
    let texts: Vec<(String, &str)> =
        given.iter().map(|option| (option.name.to_string(), &*option.value)).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, value)| (&**name, *value)).collect();
    match Options::parse(&texts) {
        Ok(options) => Some(options.within(SearchLimit::BUILD)),
        Err(faults) => {
            for fault in &faults {
                let GivenOption { name, value_span, .. } = &given[fault.index];
                let span = if fault.is_of_value { *value_span } else { name.span() };
                errors.span(span, fault.message.render(Syntax::Attribute));
            }
            None
        }
    }
}

/// Returns what the function returns for a method, according to its return type.
fn returned(
    arguments: &Arguments,
    signature: &Signature,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<(ReturnKind, Wrapper)> {
    let what = "return an enum, an integer or `&'static str`, bare or in an `Option` or `Result`; for any other \
                type, give an expression for each method: #[decision_map(…, answers(name = EXPRESSION, …))]";
    let ReturnType::Type(_, ty) = &signature.output else {
        errors.at(signature, format!("the function has no return type\nhelp: {what}"));
        return None;
    };
    if !arguments.answers.is_empty() {
        let answers = arguments.answers.iter();
        let answers = answers.map(|answer| (answer.label.clone(), spans.code(&answer.value))).collect();
        return Some(ReturnKind::own(&spans.code(ty), answers));
    }
    let returns = ReturnKind::from_type(&spans.code(ty));
    if returns.is_none() {
        errors.at(ty, what);
    }
    returns
}
