//! Suggestions for unknown names.

use qtdec_core::similar::did_you_mean;

/// Returns the known name that was meant, as a question in parentheses behind a space, or nothing.
pub(crate) fn meant<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    did_you_mean(name, known).map_or_else(String::new, |like| format!(" (did you mean `{like}`?)"))
}
