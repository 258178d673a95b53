//! How a function comes to its answer.

use proc_macro2::TokenStream;
use quote::quote;

/// How a function comes to its answer.
pub struct Decision {
    /// Items it needs.
    pub(super) items: TokenStream,
    /// Statements that go before the value.
    pub(super) statements: TokenStream,
    /// The answer, an expression.
    pub(super) value: TokenStream,
    /// Those lints that it breaks.
    pub(super) lints: Vec<TokenStream>,
}

impl Decision {
    /// All of it, but for lints: what stands between braces.
    pub(super) fn block(&self) -> TokenStream {
        let Self { items, statements, value, .. } = self;
        quote!(#items #statements #value)
    }

    /// An answer that needs nothing else.
    pub(super) fn alone(value: TokenStream) -> Self {
        Self { items: TokenStream::new(), statements: TokenStream::new(), value, lints: Vec::new() }
    }
}
