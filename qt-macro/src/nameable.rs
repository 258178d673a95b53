//! Types that an item inside a function can name.

use qtdec_core::tokens::{Code, Ident, Token};
use syn::{GenericParam, Generics};

/// Returns whether a type names neither `Self` nor a generic parameter.
pub(crate) fn is_nameable(ty: &Code, generics: &Generics) -> bool {
    ty.tokens().iter().all(|token| match token {
        Token::Ident(ident) => {
            ident.text() != "Self" && !generics.params.iter().any(|param| is_called(param, ident))
        }
        Token::Group(group) => is_nameable(&group.code, generics),
        _ => true,
    })
}

fn is_called(param: &GenericParam, name: &Ident) -> bool {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.ident == name.text(),
        GenericParam::Type(param) => param.ident == name.text(),
        GenericParam::Const(param) => param.ident == name.text(),
    }
}
