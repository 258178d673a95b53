//! Parts of code: generic arguments, and lists with commas.

use qtdec_core::tokens::{Delimiter, Token};

/// Returns code without the invisible groups that `macro_rules` puts around it.
pub(crate) fn ungrouped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [Token::Group(group)] if group.delimiter == Delimiter::None => ungrouped(group.code.tokens()),
        tokens => tokens,
    }
}

/// Returns the identifier or keyword that a token is.
pub(crate) fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Ident(ident) => Some(ident.text()),
        _ => None,
    }
}

/// Returns whether tokens begin with this operator of two characters.
pub(crate) fn begins_with(tokens: &[Token], operator: [char; 2]) -> bool {
    matches!(tokens, [Token::Punct(first), second, ..]
        if first.joint && first.char == operator[0] && second.is(operator[1]))
}

/// Returns the length of the generic arguments with which tokens begin, with both brackets; `None` if the `<` is not closed.
pub(crate) fn angles(tokens: &[Token]) -> Option<usize> {
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

/// Returns the place of the first token outside generic arguments for which `is_end` holds, or else the end. It sees the token with those
/// after it. There are no comparisons in the code.
pub(crate) fn find(tokens: &[Token], is_end: impl Fn(&[Token]) -> bool) -> usize {
    let mut index = 0;
    while index < tokens.len() && !is_end(&tokens[index..]) {
        index += match &tokens[index] {
            open if open.is('<') => angles(&tokens[index..]).unwrap_or(1),
            // Of `::` and `->`, the second character is no token of its own.
            Token::Punct(punct)
                if punct.joint && tokens.get(index + 1).is_some_and(|next| next.is(':') || next.is('>')) =>
            {
                2
            }
            _ => 1,
        };
    }
    index
}

/// Returns the parts of a list of parameters or types. The last one may be followed by a comma.
pub(crate) fn parts(mut tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    while !tokens.is_empty() {
        let end = find(tokens, |rest| rest[0].is(','));
        parts.push(&tokens[..end]);
        tokens = tokens.get(end + 1..).unwrap_or_default();
    }
    parts
}

/// Returns the attributes with which tokens begin, each as what stands between its brackets, and the rest.
pub(crate) fn attributes(mut tokens: &[Token]) -> (Vec<&[Token]>, &[Token]) {
    let mut attributes = Vec::new();
    while let [hash, Token::Group(group), rest @ ..] = tokens {
        if !hash.is('#') || group.delimiter != Delimiter::Bracket {
            break;
        }
        attributes.push(group.code.tokens());
        tokens = rest;
    }
    (attributes, tokens)
}
