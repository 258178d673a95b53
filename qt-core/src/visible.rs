//! Escaping of text from untrusted sources for display.
//!
//! Names in files may contain characters that control a terminal or that hide or reorder the text around them. Text that is shown to
//! people or written into comments has these characters escaped; text that programs read keeps them.

use std::borrow::Cow;

/// Returns whether a character is invisible and affects the text around it: a control character, a directional mark, a line
/// separator, a byte-order mark, or a zero-width character.
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

/// Returns a text as one line, with hidden characters escaped.
///
/// ```
/// use qtdec_core::visible;
/// assert_eq!(visible::line("ring"), "ring");
/// assert_eq!(visible::line("a\u{1b}[31mb\n\u{202e}"), r"a\u{1b}[31mb\n\u{202e}");
/// ```
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Returns a text of several lines, with hidden characters escaped except for line breaks and tabs.
///
/// ```
/// use qtdec_core::visible;
/// assert_eq!(visible::lines("a\n\tb\u{9b}c"), "a\n\tb\\u{9b}c");
/// ```
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |char| is_hidden(char) && !matches!(char, '\n' | '\t'))
}

fn escaped(text: &str, hides: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(hides) {
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
