//! Properties of the user's types, derived from their names.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Path, PathArguments, Type, TypePath};

use crate::naming::{C_INTEGER_TYPES, INTEGER_TYPES};

/// Returns a type without the invisible groups that `macro_rules` puts around it.
pub(super) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        other => other,
    }
}

/// Returns the identifier of a type, if it is a single one.
pub(super) fn name(ty: &Type) -> Option<String> {
    match ungrouped(ty) {
        Type::Path(TypePath { qself: None, path, .. }) => path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Returns whether a type is an integer of Rust or C, by its name or the last segment of its path.
pub(super) fn is_integer(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ungrouped(ty) else { return false };
    let mut known = INTEGER_TYPES.iter().chain(&C_INTEGER_TYPES);
    is_plain(path) && path.segments.last().is_some_and(|last| known.any(|name| last.ident == name))
}

/// Returns whether a type is a nonzero integer, such as `NonZeroU32` or `NonZero<u32>`, by its name.
pub(super) fn is_nonzero(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ungrouped(ty) else { return false };
    path.segments
        .last()
        .and_then(|last| last.ident.to_string().strip_prefix("NonZero").map(str::to_lowercase))
        .is_some_and(|rest| rest.is_empty() || INTEGER_TYPES.contains(&&*rest))
}

/// Returns whether a type is unsigned, as far as its name shows.
pub(super) fn is_unsigned(ty: &Type) -> bool {
    let unsigned = ["u8", "u16", "u32", "u64", "u128", "usize"];
    let known = if is_nonzero(ty) { last_name(ty) } else { name(ty) };
    known.is_some_and(|name| {
        let name = name.strip_prefix("NonZero").unwrap_or(&name).to_lowercase();
        unsigned.contains(&&*name)
    })
}

/// Returns the generic argument of a type, or its last name if it has none: `u32` for `NonZero<u32>`, `NonZeroU32` for itself.
fn last_name(ty: &Type) -> Option<String> {
    let Type::Path(TypePath { path, .. }) = ungrouped(ty) else { return None };
    let last = path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => name(inner),
            _ => None,
        },
        _ => Some(last.ident.to_string()),
    }
}

/// Returns the path before `::Variant` for an enum of this type, or for one behind this reference.
pub(super) fn qualifier(ty: &Type) -> TokenStream {
    match ungrouped(ty) {
        Type::Reference(reference) => qualifier(&reference.elem),
        Type::Path(TypePath { qself: None, path, .. }) if is_plain(path) && path.leading_colon.is_none() => {
            quote!(#path)
        }
        other => quote!(<#other>),
    }
}

/// Returns whether a type is a path without generic arguments.
pub(super) fn is_plain_path(ty: &Type) -> bool {
    matches!(ungrouped(ty), Type::Path(TypePath { qself: None, path, .. }) if is_plain(path))
}

/// Returns whether a path has no generic arguments.
fn is_plain(path: &Path) -> bool {
    path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None))
}

/// Returns the span of the first token.
pub(super) fn span_of(tokens: &impl ToTokens) -> Span {
    tokens.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
