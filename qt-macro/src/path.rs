//! The path of a file: a string, or what `concat!`, `env!` and `stringify!` make of strings.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, LitInt, LitStr, Token, parenthesized};

use crate::tokens::{text, ungrouped};

/// A path as the user writes it, computed.
pub(crate) struct FileName {
    pub(crate) path: String,
    /// The user's tokens, of which there is one unless a macro computes the path.
    pub(crate) tokens: TokenStream,
    /// Whether the path was computed by macros; only then may it be absolute.
    pub(crate) computed: bool,
}

impl Parse for FileName {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let computed = !input.peek(LitStr);
        let before: TokenStream = input.fork().parse()?;
        let path = path(input)?;
        let after: TokenStream = input.fork().parse()?;
        let consumed = before.clone().into_iter().count() - after.into_iter().count();
        Ok(Self { path, tokens: ungrouped(before.into_iter().take(consumed).collect()), computed })
    }
}

fn path(input: ParseStream<'_>) -> syn::Result<String> {
    if input.peek(LitInt) {
        return Ok(input.parse::<LitInt>()?.to_string());
    }
    if input.peek(Lit) {
        return match input.parse::<Lit>()? {
            Lit::Str(text) => Ok(text.value()),
            other => Err(syn::Error::new_spanned(other, EXPECTED)),
        };
    }
    let name: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
    input.parse::<Token![!]>().map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
    let content;
    parenthesized!(content in input);
    match &*name.to_string() {
        "concat" => {
            let parts = content.call(Punctuated::<Part, Token![,]>::parse_terminated)?;
            Ok(parts.into_iter().map(|Part(part)| part).collect())
        }
        "env" => {
            let variable = path(&content)?;
            content.parse::<TokenStream>()?;
            std::env::var(&variable)
                .map_err(|error| syn::Error::new_spanned(&name, format!("`{variable}`: {error}")))
        }
        "stringify" => Ok(text(&content.parse()?)),
        _ => Err(syn::Error::new_spanned(name, "a path is a string, or made by `concat!` and `env!`")),
    }
}

const EXPECTED: &str = "expected a string, `concat!` or `env!`";

/// A part of `concat!`.
struct Part(String);

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        path(input).map(Self)
    }
}
