//! The values of literals.

use crate::tokens::Token;

/// Returns the value of a literal as the text of an option: a string, a number in decimal digits and without its suffix, or `true` or
/// `false`; `None` if the token is another literal or none.
pub fn value(token: &Token) -> Option<String> {
    match token {
        Token::Ident(ident) if matches!(ident.text(), "true" | "false") => Some(ident.text().to_owned()),
        Token::Literal(literal) if literal.text().starts_with(|first: char| first.is_ascii_digit()) => {
            Some(number(literal.text()))
        }
        token => string(token),
    }
}

fn number(text: &str) -> String {
    let plain = text.replace('_', "");
    let (radix, digits) = match plain.get(..2) {
        Some("0x") => (16, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        Some("0b") => (2, &plain[2..]),
        _ => (10, &plain[..]),
    };
    let end = digits.find(|char: char| !char.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if radix == 10
        && (suffix.starts_with(['.', 'e', 'E']) || matches!(suffix, "f16" | "f32" | "f64" | "f128"))
    {
        let number = ["f16", "f32", "f64", "f128"].iter().find_map(|suffix| plain.strip_suffix(suffix));
        return number.unwrap_or(&plain).to_owned();
    }
    u128::from_str_radix(digits, radix).map_or_else(|_| digits.to_owned(), |value| value.to_string())
}

/// Returns the value of a string; `None` for bytes, C strings, characters and other tokens.
pub fn string(token: &Token) -> Option<String> {
    let Token::Literal(literal) = token else { return None };
    let text = literal.text();
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw.get(hashes + 1..raw.len().checked_sub(hashes + 1)?)?;
        return Some(inner.to_owned());
    }
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    while let Some(escape) = rest.find('\\') {
        value.push_str(&rest[..escape]);
        rest = &rest[escape + 1..];
        let mut chars = rest.chars();
        let letter = chars.next()?;
        rest = chars.as_str();
        let code = match letter {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '0' => Some('\0'),
            'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
            }
            'u' => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                rest = after;
                u32::from_str_radix(&digits.replace('_', ""), 16).ok().and_then(char::from_u32)
            }
            '\n' | '\r' => {
                rest = rest.trim_start_matches([' ', '\n', '\r', '\t']);
                continue;
            }
            other => Some(other),
        };
        value.push(code?);
    }
    value.push_str(rest);
    Some(value)
}

#[cfg(test)]
mod tests {
    use crate::tokens::{Code, Token};

    use super::{string, value};

    fn read(text: &str, read: fn(&Token) -> Option<String>) -> Option<String> {
        read(&Code::parse(text).unwrap().tokens()[0])
    }

    #[test]
    fn numbers_are_read_without_suffix_and_radix() {
        for (text, expected) in [
            ("1_000", "1000"),
            ("0xFF_u8", "255"),
            ("0b11usize", "3"),
            ("0.9", "0.9"),
            ("1_0.5f64", "10.5"),
            ("2f32", "2"),
            ("1e3", "1e3"),
            ("2.", "2."),
            ("true", "true"),
        ] {
            assert_eq!(read(text, value).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn strings_are_read_with_their_escapes() {
        let cases = [
            (r#""a\"\\\n\x41\u{1F600}é""#, "a\"\\\nA\u{1F600}é"),
            ("\"a\\\n   b\"", "ab"),
            ("r\"\\\"", "\\"),
            ("r##\"a\"#b\"##", "a\"#b"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text, string).as_deref(), Some(expected), "{text}");
        }
        for text in ["b\"a\"", "c\"a\"", "'a'", "b'a'", "br\"a\"", "x"] {
            assert_eq!(read(text, value), None, "{text}");
        }
    }
}
