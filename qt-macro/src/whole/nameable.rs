//! Types that an item inside a function can name.

use qtdec_core::tokens::Token;

/// Returns whether a type names neither `Self` nor a generic parameter.
pub(crate) fn is_nameable(ty: &[Token], generics: &[&str]) -> bool {
    ty.iter().all(|token| match token {
        Token::Ident(ident) => ident.text() != "Self" && !generics.contains(&ident.text()),
        Token::Group(group) => is_nameable(group.code.tokens(), generics),
        _ => true,
    })
}
