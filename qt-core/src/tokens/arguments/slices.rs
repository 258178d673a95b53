//! The beginnings of code.

use crate::tokens::{Delimiter, Token};

/// Returns code without the invisible groups that `macro_rules` puts around it.
pub fn ungrouped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [Token::Group(group)] if group.delimiter == Delimiter::None => ungrouped(group.code.tokens()),
        tokens => tokens,
    }
}

/// Returns the identifier or keyword that a token is.
pub fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Ident(ident) => Some(ident.text()),
        _ => None,
    }
}

/// Returns whether tokens begin with this operator of two characters.
pub fn begins_with(tokens: &[Token], operator: [char; 2]) -> bool {
    matches!(tokens, [Token::Punct(first), second, ..]
        if first.joint && first.char == operator[0] && second.is(operator[1]))
}

/// Returns the length of the generic arguments with which tokens begin, with both brackets; `None` if the `<` is not closed.
pub fn angles(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if begins_with(&tokens[index..], ['-', '>']) {
            index += 1;
        } else if token.is('<') {
            depth += 1;
        } else if token.is('>') {
            depth -= 1;
        }
        index += 1;
        if depth == 0 {
            return (index > 1).then_some(index);
        }
    }
    None
}
