//! The values of literals.

use crate::front::token::{Kind, Token};

/// Returns the value of a string.
pub(crate) fn string(token: &Token) -> Option<String> {
    if token.kind != Kind::Literal {
        return None;
    }
    if let Some(raw) = token.text.strip_prefix('r') {
        return Some(raw.trim_matches('#').trim_matches('"').to_owned());
    }
    let text = token.text.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        value.push(match char {
            '\\' => match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other @ ('\\' | '"' | '\'') => other,
                _ => return None,
            },
            char => char,
        });
    }
    Some(value)
}
