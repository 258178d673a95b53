//! The values of literals.

use crate::tokens::Token;

/// The value of a literal that an option or axis can have. The variants are complete.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A whole number, in decimal digits, and its suffix.
    Whole(String, String),
    /// Another number, without its suffix.
    Number(String),
    /// `true` or `false`.
    Truth(bool),
}

impl Value {
    /// Returns the value of a token; `None` if it is no literal or another one.
    pub fn of(token: &Token) -> Option<Self> {
        match token {
            Token::Ident(ident) if ident.text() == "true" => Some(Self::Truth(true)),
            Token::Ident(ident) if ident.text() == "false" => Some(Self::Truth(false)),
            Token::Literal(literal) if literal.text().starts_with(|first: char| first.is_ascii_digit()) => {
                Some(number(literal.text()))
            }
            Token::Literal(literal) => string(literal.text()).map(Self::Text),
            _ => None,
        }
    }

    /// Returns the value as the text of an option.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Whole(text, _) | Self::Number(text) => text.clone(),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

fn number(text: &str) -> Value {
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
        return Value::Number(number.unwrap_or(&plain).to_owned());
    }
    let digits =
        u128::from_str_radix(digits, radix).map_or_else(|_| digits.to_owned(), |value| value.to_string());
    Value::Whole(digits, suffix.to_owned())
}

/// Returns the value of a string; `None` for bytes, C strings and characters.
fn string(text: &str) -> Option<String> {
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
    use crate::tokens::Code;

    use super::Value;

    fn value(text: &str) -> Option<Value> {
        Value::of(&Code::parse(text).unwrap().tokens()[0])
    }

    #[test]
    fn numbers_are_read_without_suffix_and_radix() {
        let whole = |digits: &str, suffix: &str| Some(Value::Whole(digits.to_owned(), suffix.to_owned()));
        assert_eq!(value("1_000"), whole("1000", ""));
        assert_eq!(value("0xFF_u8"), whole("255", "u8"));
        assert_eq!(value("0b11usize"), whole("3", "usize"));
        for (text, expected) in
            [("0.9", "0.9"), ("1_0.5f64", "10.5"), ("2f32", "2"), ("1e3", "1e3"), ("2.", "2.")]
        {
            assert_eq!(value(text), Some(Value::Number(expected.to_owned())), "{text}");
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
            assert_eq!(value(text), Some(Value::Text(expected.to_owned())), "{text}");
        }
        for text in ["b\"a\"", "c\"a\"", "'a'", "b'a'", "br\"a\"", "x"] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value("true"), Some(Value::Truth(true)));
    }
}
