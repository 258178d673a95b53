//! The attribute on a function: the map becomes its body.

use proc_macro2::{Span, TokenStream};
use qtdec_core::code::{Function, QuadrantStyle, ReturnKind, Wrapper};
use qtdec_core::{Options, Place, Syntax, visible};
use quote::{ToTokens, quote};
use syn::Lit;

use crate::arguments::{Arguments, Given};
use crate::attributes::{DECIDED_BY, others};
use crate::declared::declares;
use crate::errors::Errors;
use crate::file::MapFile;
use crate::item::Function as Item;
use crate::parameters::{Matching, separated};
use crate::path::FileName;
use crate::tokens::{first_span, literal};
use crate::warning::warning;

/// What a function may return.
const RETURNED: &str = "return an enum, an integer or `&'static str`, bare or in an `Option` or `Result`; for any other type, give an \
    expression for each method: #[decision_map(…, answers(name = EXPRESSION, …))]";

pub(crate) fn expand(arguments: &Arguments, item: &Item, mut errors: Errors) -> TokenStream {
    let attributes = others(&item.attributes, &mut errors);
    check(arguments, item, &mut errors);
    let decided = arguments.files.first().and_then(|file| decide(file, arguments, item, &mut errors));
    let Item { visibility, signature, body, .. } = item;
    match decided {
        Some(Decided { by, body }) if errors.is_empty() => {
            let is_documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
            let gap = is_documented.then(|| quote!(#[doc = ""]));
            let doc = format!("{DECIDED_BY}{by}.");
            quote!(#(#attributes)* #gap #[doc = #doc] #visibility #signature { #body })
        }
        // Keep the item, so that code that uses it causes no further errors. Inside a function, errors keep the compiler from evaluating it,
        // and thus from reporting errors in the constants that call it.
        _ => {
            let body = body.clone().unwrap_or_else(|| quote!(::core::unimplemented!()));
            let allow = quote!(#[allow(unused_variables, unreachable_code)]);
            quote!(#(#attributes)* #allow #visibility #signature { #errors #body })
        }
    }
}

/// Reports what is wrong whatever the file holds.
fn check(arguments: &Arguments, item: &Item, errors: &mut Errors) {
    if item.returned.is_none() {
        errors.at(&item.signature, format!("the function has no return type\nhelp: {RETURNED}"));
    }
    if arguments.files.is_empty() && errors.is_empty() {
        errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    for other in arguments.files.iter().skip(1) {
        errors.at(&other.tokens, "a function takes a single map");
    }
    if item.body.as_ref().is_some_and(TokenStream::is_empty) {
        let message = "the body is empty, and returns nothing where the map has no decision\n\
            help: end the function with `;` instead of `{}`, or let the body return an answer";
        errors.at(&item.name, message);
    }
}

/// What becomes of a file.
struct Decided {
    /// The name of the file and the size of its tree, for the documentation.
    by: String,
    body: TokenStream,
}

/// Reads the file and writes the body of the function.
fn decide(name: &FileName, arguments: &Arguments, item: &Item, errors: &mut Errors) -> Option<Decided> {
    let returned = returned(arguments, item, errors);
    let read = MapFile::open(name, errors).and_then(|file| {
        let document = file.document(errors)?;
        Some((file, document))
    });
    let axes = read.as_ref().map_or(&[][..], |(_, document)| document.domain().axes()).to_vec();
    let names = Options::names();
    let (of_axes, of_options) = separated(&arguments.given, &axes, &names);
    let options = options(&of_options, errors);
    let (file, document) = read?;
    let options = options?;
    let contradicted = document.warning();
    let has_gaps = document.has_gaps();
    let tree = file.check(options.tree(document), errors)?;
    let matching = Matching { item, axes: &axes, given: of_axes, options: &names, errors: &mut *errors };
    let matched = matching.matched();
    let parameters = matched.parameters(item, &axes, &options, errors);
    let (returns, wrapper) = returned?;
    let (statements, values) = (&matched.statements, matched.values());
    let signature = &item.signature;
    let function = Function {
        tree: &tree,
        parameters: parameters?,
        nameable: item.can_name(&returns.ty()),
        returns,
        wrapper,
        variants_at: file.span,
        true_labels: options.true_labels().to_vec(),
        quadrants: QuadrantStyle { error: options.error().map(str::to_owned), named: false },
        in_scope: quote!(#signature #(#values)*),
        fallback: item.body.clone(),
    };
    let source = file.source.name();
    let aliases = function.alias_checks(|name, variants| declares(name, variants, source));
    let decision = file.check(function.body(options.layout()), errors)?.code;
    let idle = item.body.as_ref().filter(|_| tree.is_total()).map(|body| {
        let hint = if has_gaps { "; `empty = \"strict\"` leaves its empty cells to the body" } else { "" };
        let message = format!("the body never runs: the map answers everywhere{hint}");
        warning(first_span(body, item.name.span()), &message)
    });
    let contradicted = contradicted.map(|message| warning(file.span, &message));
    let tracker = file.tracker();
    let by = format!("`{}`: {}", visible::line(source), tree.statistics().size());
    Some(Decided { by, body: quote!(#tracker #idle #contradicted #aliases #statements #decision) })
}

fn options(given: &[&Given], errors: &mut Errors) -> Option<Options> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for Given { name, value, .. } in given {
        let text = match literal(value) {
            _ if value.is_empty() => "true".to_owned(),
            Some(Lit::Str(text)) => text.value(),
            Some(Lit::Int(number)) => number.base10_digits().to_owned(),
            Some(Lit::Float(number)) => number.base10_digits().to_owned(),
            Some(Lit::Bool(is_on)) => is_on.value.to_string(),
            _ => {
                errors.at(value, "expected a number, a string, `true` or `false`");
                return None;
            }
        };
        texts.push((name.to_string(), text));
    }
    match Options::parse(&texts) {
        Ok(options) => Some(options.while_compiling()),
        Err(faults) => {
            for fault in &faults {
                let Place::Option { index, is_value } = fault.place else { continue };
                let Given { name, value, .. } = given[index];
                let span = if is_value { first_span(value, name.span()) } else { name.span() };
                errors.span(span, fault.message.render(Syntax::Attribute));
            }
            None
        }
    }
}

/// Returns what the function returns for a method, according to its return type.
fn returned(arguments: &Arguments, item: &Item, errors: &mut Errors) -> Option<(ReturnKind, Wrapper)> {
    let ty = item.returned.as_ref()?;
    if !arguments.answers.is_empty() {
        let answers = arguments.answers.iter();
        let answers = answers.map(|answer| (answer.label.clone(), answer.value.clone())).collect();
        return Some(ReturnKind::own(ty, answers));
    }
    let returns = ReturnKind::from_type(ty);
    if returns.is_none() {
        errors.at(ty.to_token_stream(), RETURNED);
    }
    returns
}
