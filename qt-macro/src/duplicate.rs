//! A second attribute on one item.

use proc_macro2::Span;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::errors::Errors;

/// The beginning of the line that the attribute adds to the documentation of a function.
pub(crate) const DECIDED_BY: &str = " Decided by `";

/// Reports a second attribute and removes it, so that it is not expanded too.
pub(crate) fn check(attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    let message = "the item has two `decision_map` attributes, which would overwrite each other\n\
                   help: an enum takes several files, as in #[decision_map(\"a.json\", \"b.json\")]; a function takes a single map";
    attrs.retain(|attribute| {
        let is_second = attribute.path().segments.last().is_some_and(|last| last.ident == "decision_map");
        if is_second {
            errors.at(attribute.path(), message);
        }
        !is_second
    });
    // The trace that the first attribute leaves, if this one was hidden in a `cfg_attr`.
    if attrs.iter().any(is_trace) {
        errors.span(Span::call_site(), message);
    }
}

fn is_trace(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => {
            matches!(&pair.value, Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value().starts_with(DECIDED_BY))
        }
        _ => false,
    }
}
