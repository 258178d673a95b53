//! The other attributes of an item.

use super::arguments::string;
use super::errors::Errors;
use super::output::user;
use super::token::{CALL_SITE, Token, ungrouped};

/// The beginning of the line that the attribute adds to the documentation of a function.
pub(super) const DECIDED_BY: &str = " Decided by ";

/// Returns the attributes, and reports a second one of qtdec, so that it is not expanded too.
pub(super) fn attributes(attributes: &[&[Token]], errors: &mut Errors) -> String {
    let message = "the item has two `decision_map` attributes, which would overwrite each other\n\
        help: an enum takes several files, as in #[decision_map(\"a.json\", \"b.json\")]; a function takes a single map";
    let mut code = String::new();
    for attribute in attributes {
        let end = attribute.iter().position(|token| !token.is(":") && token.word().is_empty());
        let path = &attribute[..end.unwrap_or(attribute.len())];
        if path.last().is_some_and(|last| last.word() == "decision_map") {
            errors.at(path, message);
            continue;
        }
        // The trace that the first attribute leaves, if this one was hidden in a `cfg_attr`.
        if let [doc, _, text @ ..] = attribute
            && doc.word() == "doc"
            && let [text] = ungrouped(text)
            && string(text).is_some_and(|text| text.starts_with(DECIDED_BY))
        {
            errors.place(CALL_SITE, message);
        }
        code += &format!("#[{}]", user(attribute));
    }
    code
}
