//! A second attribute on one item.

use qtdec_core::tokens::arguments::{Value, ungrouped, word};
use qtdec_core::tokens::{Span, Token};

use crate::whole::errors::Errors;

/// The beginning of the line that the attribute adds to the documentation of a function.
pub(crate) const DECIDED_BY: &str = " Decided by `";

/// Reports a second attribute, and returns the others, so that it is not expanded too.
pub(crate) fn check<'t>(attributes: &[&'t [Token]], errors: &mut Errors) -> Vec<&'t [Token]> {
    let message = "the item has two `decision_map` attributes, which would overwrite each other\n\
                   help: an enum takes several files, as in #[decision_map(\"a.json\", \"b.json\")]; a function takes a single map";
    let (seconds, others): (Vec<&[Token]>, Vec<&[Token]>) = attributes
        .iter()
        .partition(|attribute| path(attribute).last().and_then(word) == Some("decision_map"));
    for second in seconds {
        errors.at(path(second), message);
    }
    // The trace that the first attribute leaves, if this one was hidden in a `cfg_attr`.
    if others.iter().any(|attribute| is_trace(attribute)) {
        errors.span(Span::CALL_SITE, message);
    }
    others
}

/// Returns the path with which an attribute begins.
fn path(attribute: &[Token]) -> &[Token] {
    let end = attribute.iter().position(|token| matches!(token, Token::Group(_)) || token.is('='));
    &attribute[..end.unwrap_or(attribute.len())]
}

fn is_trace(attribute: &[Token]) -> bool {
    match attribute {
        [doc, equals, text @ ..] if word(doc) == Some("doc") && equals.is('=') => {
            matches!(ungrouped(text), [text] if matches!(Value::of(text), Some(Value::Text(text)) if text.starts_with(DECIDED_BY)))
        }
        _ => false,
    }
}
