//! Words of commands that messages suggest.

/// Quotes a text for a shell. The one character that cannot be quoted is NUL.
pub(super) fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}
