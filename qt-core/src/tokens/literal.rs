//! Literals.

use std::fmt;

use super::text::Text;
use super::{Ident, Span};

/// A number, a character or a string, as its text in Rust.
#[derive(Clone, Debug)]
pub struct Literal {
    pub(super) text: Text,
    /// The place.
    pub span: Span,
}

impl Literal {
    /// Creates a literal with this text, which is not checked.
    pub fn new(text: &str, span: Span) -> Self {
        Self { text: Text::Shared(text.into()), span }
    }

    /// Creates a string with this value.
    ///
    /// ```
    /// use qtdec_core::tokens::Literal;
    /// assert_eq!(Literal::string("it's a \"\n\"\07").text(), r#""it's a \"\n\"\x007""#);
    /// ```
    pub fn string(value: &str) -> Self {
        let mut text = String::with_capacity(value.len() + 2);
        text.push('"');
        let mut chars = value.chars();
        while let Some(char) = chars.next() {
            match char {
                // Before a digit, `\0` would read as the beginning of an octal number.
                '\0' if chars.as_str().starts_with(|next| matches!(next, '0'..='7')) => {
                    text.push_str("\\x00");
                }
                '\0' => text.push_str("\\0"),
                '\'' => text.push(char),
                _ => text.extend(char.escape_debug()),
            }
        }
        text.push('"');
        Self::new(&text, Span::CALL_SITE)
    }

    /// Creates a number as it is displayed.
    pub fn displayed(value: impl fmt::Display) -> Self {
        Self::new(&value.to_string(), Span::CALL_SITE)
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        self.text.get()
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
