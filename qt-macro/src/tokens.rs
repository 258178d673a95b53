//! Tokens of the user's that are no syntax yet.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

/// Returns tokens without the invisible groups that `macro_rules` puts around them.
pub(crate) fn ungrouped(tokens: TokenStream) -> TokenStream {
    match only(&tokens) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        _ => tokens,
    }
}

/// Returns the token, if there is a single one.
pub(crate) fn only(tokens: &TokenStream) -> Option<TokenTree> {
    let mut trees = tokens.clone().into_iter();
    trees.next().filter(|_| trees.next().is_none())
}

/// Returns the only token, if it is a literal, `true` or `false`.
pub(crate) fn literal(tokens: &TokenStream) -> Option<syn::Lit> {
    only(tokens)?;
    syn::parse2(tokens.clone()).ok()
}

/// Returns the name of an identifier without `r#`.
pub(crate) fn name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// Returns the span of the first token, or else another one.
pub(crate) fn first_span(tokens: &TokenStream, otherwise: Span) -> Span {
    tokens.clone().into_iter().next().map_or(otherwise, |first| first.span())
}

/// Returns the identifiers among tokens, at any depth.
pub(crate) fn identifiers(tokens: &TokenStream) -> Vec<Ident> {
    let mut found = Vec::new();
    for tree in tokens.clone() {
        match tree {
            TokenTree::Ident(ident) => found.push(ident),
            TokenTree::Group(group) => found.extend(identifiers(&group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// Returns whether tokens have this identifier.
pub(crate) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    identifiers(tokens).contains(name)
}

/// Returns tokens as text, with blanks where words would become one.
pub(crate) fn text(tokens: &TokenStream) -> String {
    let is_word = |char: char| char == '_' || char.is_alphanumeric();
    let mut text = String::new();
    for tree in tokens.clone() {
        let (open, inner, close) = match &tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                (open.to_owned(), self::text(&group.stream()), close)
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => (", ".to_owned(), String::new(), ""),
            other => (other.to_string(), String::new(), ""),
        };
        if text.ends_with(is_word) && open.starts_with(is_word) {
            text.push(' ');
        }
        text += &[&open, &*inner, close].concat();
    }
    text
}
