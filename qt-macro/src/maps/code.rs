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
    marked(code, Span::CALL_SITE)
}

/// Returns code as text with marks where it is not at the place of the code around it.
fn marked(code: &Code, around: Span) -> String {
    let mut text = String::new();
    for run in code.tokens().chunk_by(|one, next| one.span() == next.span()) {
        let span = run[0].span();
        let mut of_run = String::new();
        for (index, token) in run.iter().enumerate() {
            let is_last = index + 1 == run.len();
            let is_joint = matches!(token, tokens::Token::Punct(punct) if punct.joint);
            match token {
                // The first character of an operator of the user's, whose characters have a place each.
                tokens::Token::Punct(_) if is_joint && is_last => of_run += &original(span.index()),
                tokens::Token::Punct(punct) => of_run.push(punct.char),
                tokens::Token::Group(group) if group.is_original => of_run += &original(span.index()),
                tokens::Token::Group(group) => {
                    let bracket = BRACKETS.iter().find(|bracket| bracket.2 == group.delimiter);
                    let (open, close, _) = bracket.unwrap_or(&BRACKETS[3]);
                    of_run.extend([open, &*marked(&group.code, span), close]);
                }
                // A text that no new identifier can have.
                tokens::Token::Ident(ident) if ident.text().starts_with('$') => {
                    of_run += &original(span.index());
                }
                tokens::Token::Ident(ident) => of_run += ident.text(),
                tokens::Token::Literal(literal) => of_run += literal.text(),
            }
            if !is_joint || is_last {
                of_run.push(' ');
            }
        }
        text += &if span == around { of_run } else { at(span.index(), &of_run) };
    }
    text
}
