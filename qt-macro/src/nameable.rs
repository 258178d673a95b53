//! Types that an item inside a function can name.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{GenericParam, Generics};

/// Returns whether a type names neither `Self` nor a generic parameter.
pub(crate) fn is_nameable(ty: TokenStream, generics: &Generics) -> bool {
    ty.into_iter().all(|token| match token {
        TokenTree::Ident(ident) => {
            ident != "Self" && !generics.params.iter().any(|param| is_called(param, &ident))
        }
        TokenTree::Group(group) => is_nameable(group.stream(), generics),
        _ => true,
    })
}

fn is_called(param: &GenericParam, name: &Ident) -> bool {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.ident == *name,
        GenericParam::Type(param) => param.ident == *name,
        GenericParam::Const(param) => param.ident == *name,
    }
}
