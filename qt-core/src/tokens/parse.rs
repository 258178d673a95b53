//! Code from text.

use std::rc::Rc;

use super::lexer::{Kind, next, operator_end};
use super::text::Text;
use super::{Code, Delimiter, Group, Ident, Literal, Punct, Span, Token};

impl Code {
    /// Reads the text of Rust code without comments, such as what a parser prints of a type. Returns `None` if a bracket or a quote has no
    /// other half; whether the code is valid is for a parser to say.
    ///
    /// ```
    /// use qtdec_core::tokens::Code;
    ///
    /// assert_eq!(Code::parse("core::num::NonZero<u32>").unwrap().tokens().len(), 10);
    /// assert!(Code::parse("Option<(u32>").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (bytes, mut place) = (text.as_bytes(), 0);
        let mut code = Self::new();
        let mut outer: Vec<(Delimiter, Self)> = Vec::new();
        loop {
            let lexeme = next(bytes, place, false);
            let part = text.get(lexeme.start..lexeme.end)?;
            place = lexeme.end;
            match lexeme.kind {
                Kind::End if outer.is_empty() => return Some(code),
                Kind::End | Kind::Fault | Kind::Doc | Kind::Splice | Kind::Repetition => return None,
                Kind::Ident => code.push(Token::Ident(Ident::new(part, Span::CALL_SITE))),
                Kind::Literal => code.push(Token::Literal(Literal::new(part, Span::CALL_SITE))),
                Kind::Punct(_) => {
                    place = operator_end(bytes, lexeme.start);
                    code.operator(text.get(lexeme.start..place)?, Span::CALL_SITE);
                }
                Kind::Open => outer.push((Delimiter::of(part), std::mem::take(&mut code))),
                Kind::Close => {
                    let (delimiter, around) = outer.pop().filter(|(open, _)| *open == Delimiter::of(part))?;
                    let inner = std::mem::replace(&mut code, around);
                    code.push(Token::Group(Group::new(delimiter, inner, Span::CALL_SITE)));
                }
            }
        }
    }

    /// Adds the characters of an operator, or the quote of a lifetime.
    pub(super) fn operator(&mut self, text: &str, span: Span) {
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            let joint = chars.peek().is_some() || char == '\'';
            self.push(Token::Punct(Punct { char, joint, span }));
        }
    }
}

impl Group {
    /// Creates a group of this code.
    pub fn new(delimiter: Delimiter, code: Code, span: Span) -> Self {
        Self { delimiter, code: Rc::new(code), span, is_original: false }
    }
}

impl Delimiter {
    pub(super) fn of(bracket: &str) -> Self {
        match bracket {
            "(" | ")" => Self::Parenthesis,
            "[" | "]" => Self::Bracket,
            _ => Self::Brace,
        }
    }
}

impl Ident {
    pub(super) fn of_template(text: &'static str, span: Span) -> Self {
        Self { text: Text::Static(text), span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let code = Code::parse(text).unwrap_or_else(|| panic!("{text}"));
        code.tokens().iter().map(|token| Code::from(vec![token.clone()]).to_string()).collect()
    }

    #[test]
    fn literals_are_single_tokens() {
        for text in [
            "1_000u32",
            "0xFFe",
            "1.5e-3",
            "2.",
            "1e+9f64",
            "\"a\\\"b\"",
            "b\"\\x00\"",
            "c\"a\"",
            "'a'",
            "'\\''",
            "'\\u{1F600}'",
            "'ß'",
            "b'a'",
            "r\"\\\"",
            "r#\"a\"b\"#",
            "br##\"\"#\"##",
            "\"a\"suffix",
        ] {
            let code = Code::parse(text).unwrap();
            assert!(
                matches!(code.tokens(), [Token::Literal(literal)] if literal.text() == text),
                "{text}: {code}"
            );
        }
    }

    #[test]
    fn what_is_next_to_literals_is_another_token() {
        assert_eq!(parts("1..=2"), ["1", ".", ".", "=", "2"]);
        assert_eq!(parts("1.max(2)"), ["1", ".", "max", "(2)"]);
        assert_eq!(parts("r#type b r"), ["r#type", "b", "r"]);
        assert_eq!(parts("&'a größe"), ["&", "'", "a", "größe"]);
        assert_eq!(parts("-1"), ["-", "1"]);
    }

    #[test]
    fn operators_are_joint_as_far_as_they_go() {
        let joints = |text: &str| {
            let code = Code::parse(text).unwrap();
            let joint = |token: &Token| matches!(token, Token::Punct(punct) if punct.joint);
            code.tokens().iter().map(joint).collect::<Vec<_>>()
        };
        assert_eq!(joints("a::b"), [false, true, false, false]);
        assert_eq!(joints("<a>::b"), [false, false, false, true, false, false]);
        assert_eq!(joints("a>>=b"), [false, true, true, false, false]);
        assert_eq!(joints("&&*a"), [true, false, false, false]);
        assert_eq!(joints("& 'a"), [false, true, false]);
    }

    #[test]
    fn what_is_open_is_no_code() {
        for text in ["(", ")", "(]", "{[}]", "\"a", "r#\"a\"", "'", "b'", "\\", "f(\u{7})"] {
            assert!(Code::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn text_reads_as_the_same_code() {
        for text in
            ["a :: b < 'c , & 'd mut e >", "# [doc = \"a\"] fn f () -> [u8 ; 4] { loop {  } }", "x += 1 .. y"]
        {
            assert_eq!(Code::parse(text).unwrap().to_string(), text);
        }
    }
}
