//! The other attributes of an item.

use proc_macro2::Span;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::errors::Errors;

/// The beginning of the line that the attribute adds to the documentation of a function.
pub(crate) const DECIDED_BY: &str = " Decided by ";

/// Returns the attributes, and reports a second one of qtdec, so that it is not expanded too.
pub(crate) fn others(attributes: &[Attribute], errors: &mut Errors) -> Vec<Attribute> {
    let message = "the item has two `decision_map` attributes, which would overwrite each other\n\
        help: an enum takes several files, as in #[decision_map(\"a.json\", \"b.json\")]; a function takes a single map";
    let mut others = Vec::new();
    for attribute in attributes {
        if attribute.path().segments.last().is_some_and(|last| last.ident == "decision_map") {
            errors.at(attribute.path(), message);
            continue;
        }
        // The trace that the first attribute leaves, if this one was hidden in a `cfg_attr`.
        if documentation(attribute).is_some_and(|text| text.starts_with(DECIDED_BY)) {
            errors.span(Span::call_site(), message);
        }
        others.push(attribute.clone());
    }
    others
}

/// Returns the text of a documentation comment.
fn documentation(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
