//! Text of any origin, made fit to be shown.
//!
//! Names in files may hold characters that a terminal obeys or that hide and reorder the text around them. What is shown to
//! people, or written into comments, has them as escapes; what programs read keeps them.

use std::borrow::Cow;

/// Whether a character is obeyed or moves others instead of being seen: a control character, a mark of the direction of
/// writing, a separator of lines, a byte-order mark, or one of no width.
pub fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61C}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// Returns a text for one line, hidden characters as escapes.
///
/// ```
/// use qtdec_core::visible;
/// assert_eq!(visible::line("ring"), "ring");
/// assert_eq!(visible::line("a\u{1b}[31mb\n\u{202e}"), r"a\u{1b}[31mb\n\u{202e}");
/// ```
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Returns a text of several lines, hidden characters but line breaks and tabs as escapes.
///
/// ```
/// use qtdec_core::visible;
/// assert_eq!(visible::lines("a\n\tb\u{9b}c"), "a\n\tb\\u{9b}c");
/// ```
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |char| is_hidden(char) && !matches!(char, '\n' | '\t'))
}

fn escaped(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hides) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match char {
            _ if !hides(char) => escaped.push(char),
            '\t' | '\n' | '\r' => escaped.extend(char.escape_default()),
            _ => escaped.extend(char.escape_unicode()),
        }
    }
    Cow::Owned(escaped)
}
