//! Questions about types of the user's, answered by what they are called.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, PathArguments, Type, TypePath};

use crate::naming::INTEGER_TYPES;

/// Returns a type without the invisible groups that `macro_rules` puts around it.
pub(super) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        other => other,
    }
}

/// Returns the one identifier that a type is, if it is one.
pub(super) fn name(ty: &Type) -> Option<String> {
    match ungrouped(ty) {
        Type::Path(TypePath { qself: None, path, .. }) => path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Returns whether a type is an integer, by its own name or by a path that ends in it.
pub(super) fn is_integer(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ungrouped(ty) else { return false };
    is_plain(path)
        && path.segments.last().is_some_and(|last| INTEGER_TYPES.iter().any(|name| last.ident == name))
}

/// Returns what stands before `::Variant` for an enum of this type, or for one behind this reference.
pub(super) fn qualifier(ty: &Type) -> TokenStream {
    match ungrouped(ty) {
        Type::Reference(reference) => qualifier(&reference.elem),
        Type::Path(TypePath { qself: None, path, .. }) if is_plain(path) && path.leading_colon.is_none() => {
            quote!(#path)
        }
        other => quote!(<#other>),
    }
}

/// Returns whether a path has no generic arguments.
fn is_plain(path: &Path) -> bool {
    path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None))
}

/// Returns the place of the first token.
pub(super) fn span_of(tokens: &impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
