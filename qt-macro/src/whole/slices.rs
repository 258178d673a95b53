//! Parts of code, such as lists with commas.

use qtdec_core::tokens::arguments::{angles, word};
use qtdec_core::tokens::{Delimiter, Token};

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

/// Returns whether tokens have this identifier.
pub(crate) fn mentions(tokens: &[Token], name: &str) -> bool {
    tokens.iter().any(|token| match token {
        Token::Group(group) => mentions(group.code.tokens(), name),
        token => word(token) == Some(name),
    })
}
