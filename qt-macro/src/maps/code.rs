//! Conversion of the user's tokens into those of the generator, and of generated code into text with marks.

use qtdec_core::tokens::{self, Code, Delimiter, Group, Ident, Literal, Punct, Span};

use crate::front::output::{at, original};
use crate::front::token::{Kind, Token};

/// The brackets of groups.
const BRACKETS: [(&str, &str, Delimiter); 4] = [
    ("(", ")", Delimiter::Parenthesis),
    ("[", "]", Delimiter::Bracket),
    ("{", "}", Delimiter::Brace),
    ("", "", Delimiter::None),
];

/// Returns the user's tokens as those of the generator, whose spans are their places.
pub(super) fn code(tokens: &[Token]) -> Code {
    tokens.iter().map(converted).collect::<Vec<_>>().into()
}

fn converted(token: &Token) -> tokens::Token {
    let (text, span) = (&*token.text, Span::new(token.place));
    match token.kind {
        Kind::Word => tokens::Token::Ident(Ident::new(text, span)),
        Kind::Literal => tokens::Token::Literal(Literal::new(text, span)),
        Kind::Punct | Kind::Joint => {
            let char = text.chars().next().unwrap_or_default();
            tokens::Token::Punct(Punct { char, joint: token.kind == Kind::Joint, span })
        }
        Kind::Group => {
            let bracket = BRACKETS.iter().find(|bracket| bracket.0 == text);
            let delimiter = bracket.map_or(Delimiter::None, |bracket| bracket.2);
            let group = Group::new(delimiter, code(&token.inner), span);
            tokens::Token::Group(Group { is_original: true, ..group })
        }
    }
}

/// Returns generated code as text with marks.
pub(super) fn text(code: &Code) -> String {
    let mut text = String::new();
    write(code, Span::CALL_SITE, &mut text);
    text
}

/// Writes code with marks where it is not at the place of the code around it.
fn write(code: &Code, around: Span, text: &mut String) {
    for run in code.tokens().chunk_by(|one, next| one.span() == next.span()) {
        let (span, len) = (run[0].span(), run.len());
        let is_marked = span != around && !(len == 1 && is_original(&run[0], true));
        let is_group = is_marked && (len > 1 || matches!(run[0], tokens::Token::Group(_)));
        if is_marked {
            *text += &at(span.index(), if is_group { "{ " } else { "" });
        }
        for (index, token) in run.iter().enumerate() {
            let is_last = index + 1 == len;
            match token {
                token if is_original(token, is_last) => *text += &original(span.index()),
                tokens::Token::Punct(punct) => text.push(punct.char),
                tokens::Token::Ident(ident) => *text += ident.text(),
                tokens::Token::Literal(literal) => *text += literal.text(),
                tokens::Token::Group(group) => {
                    let bracket = BRACKETS.iter().find(|bracket| bracket.2 == group.delimiter);
                    let (open, close, _) = bracket.unwrap_or(&BRACKETS[3]);
                    *text += open;
                    write(&group.code, span, text);
                    *text += close;
                }
            }
            if is_last || !matches!(token, tokens::Token::Punct(punct) if punct.joint) {
                text.push(' ');
            }
        }
        if is_group {
            *text += "} ";
        }
    }
}

/// Returns whether a token is the user's and cannot be written anew: of a run of tokens at one place, the first character of an operator,
/// whose characters have a place each; brackets, which have a place each; and `$crate`.
fn is_original(token: &tokens::Token, is_last: bool) -> bool {
    match token {
        tokens::Token::Punct(punct) => punct.joint && is_last,
        tokens::Token::Group(group) => group.is_original,
        tokens::Token::Ident(ident) => ident.text().starts_with('$'),
        tokens::Token::Literal(_) => false,
    }
}
