//! Properties of the user's types, derived from their names.

use super::type_path::TypePath;
use crate::naming::{C_INTEGER_TYPES, INTEGER_TYPES};
use crate::rust;
use crate::tokens::arguments::ungrouped;
use crate::tokens::{Code, Span, Token};

/// Returns the type behind a reference.
pub(super) fn referent(ty: &[Token]) -> Option<&[Token]> {
    let mut rest = ungrouped(ty).split_first().filter(|(first, _)| first.is('&'))?.1;
    if let [apostrophe, _, others @ ..] = rest
        && apostrophe.is('\'')
    {
        rest = others;
    }
    if let [Token::Ident(word), others @ ..] = rest
        && word.text() == "mut"
    {
        rest = others;
    }
    Some(rest)
}

pub(super) fn is_macro(ty: &[Token]) -> bool {
    let [path @ .., mark, Token::Group(_)] = ungrouped(ty) else { return false };
    mark.is('!') && TypePath::parse(path).is_some()
}

/// Returns the identifier of a type, if it is a single one.
pub(super) fn name(ty: &[Token]) -> Option<&str> {
    TypePath::parse(ty)?.ident()
}

/// Returns whether a type is an integer of Rust or C, by its name or the last segment of its path.
pub(super) fn is_integer(ty: &[Token]) -> bool {
    let is_known = |name: &str| INTEGER_TYPES.contains(&name) || C_INTEGER_TYPES.contains(&name);
    TypePath::parse(ty).is_some_and(|path| path.is_plain() && is_known(path.last.text()))
}

/// Returns whether a type is a nonzero integer, such as `NonZeroU32` or `NonZero<u32>`, by its name.
pub(super) fn is_nonzero(ty: &[Token]) -> bool {
    TypePath::parse(ty)
        .filter(|path| path.of.is_none())
        .and_then(|path| path.last.text().strip_prefix("NonZero").map(str::to_lowercase))
        .is_some_and(|rest| rest.is_empty() || INTEGER_TYPES.contains(&&*rest))
}

pub(super) fn is_unsigned(ty: &[Token]) -> bool {
    let unsigned = ["u8", "u16", "u32", "u64", "u128", "usize"];
    let known = if is_nonzero(ty) { last_name(ty) } else { name(ty) };
    known.is_some_and(|name| {
        let name = name.strip_prefix("NonZero").unwrap_or(name).to_lowercase();
        unsigned.contains(&&*name)
    })
}

/// Returns the generic argument of a type, or its last name if it has none: `u32` for `NonZero<u32>`, `NonZeroU32` for itself.
fn last_name(ty: &[Token]) -> Option<&str> {
    let path = TypePath::parse(ty)?;
    match path.arguments() {
        Some(arguments) => name(arguments.first()?),
        None => Some(path.last.text()),
    }
}

/// Returns the path before `::Variant` for an enum of this type, or for one behind this reference.
pub(super) fn qualifier(ty: &[Token]) -> Code {
    if let Some(referent) = referent(ty) {
        return qualifier(referent);
    }
    let ty = ungrouped(ty);
    let code = Code::from(ty.to_vec());
    match TypePath::parse(ty) {
        Some(path) if path.is_plain() && !path.is_global => code,
        _ => rust!("<#code>"; code),
    }
}

pub(super) fn is_plain_path(ty: &[Token]) -> bool {
    TypePath::parse(ty).is_some_and(|path| path.is_plain())
}

/// Returns the span of the first token.
pub(super) fn span_of(code: &Code) -> Span {
    code.tokens().first().map_or(Span::CALL_SITE, Token::span)
}
