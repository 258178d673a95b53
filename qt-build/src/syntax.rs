//! Text of the user's, parsed as Rust.

use qtdec_core::tokens::Code;
use quote::ToTokens;
use syn::parse::Parse;

/// Parses text as Rust syntax of this kind.
pub(crate) fn code<T: Parse + ToTokens>(text: &str) -> syn::Result<Code> {
    let parsed: T = syn::parse_str(text)?;
    // Printed by its parser, it has no comments.
    let printed = parsed.to_token_stream();
    Code::parse(&printed.to_string()).ok_or_else(|| syn::Error::new_spanned(printed, "unknown syntax"))
}
