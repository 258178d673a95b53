//! The code that computes a decision.

use proc_macro2::TokenStream;
use quote::quote;

/// The code that computes a decision.
pub struct Decision {
    /// Items that the code needs.
    pub(super) items: TokenStream,
    /// Statements before the value.
    pub(super) statements: TokenStream,
    /// The answer, an expression.
    pub(super) value: TokenStream,
    /// The lints that the code violates.
    pub(super) lints: Vec<TokenStream>,
}

impl Decision {
    /// Returns everything except the lints, for use between braces.
    pub(super) fn block(&self) -> TokenStream {
        let Self { items, statements, value, .. } = self;
        quote!(#items #statements #value)
    }

    /// Creates a decision from an answer that needs nothing else.
    pub(super) fn alone(value: TokenStream) -> Self {
        Self { items: TokenStream::new(), statements: TokenStream::new(), value, lints: Vec::new() }
    }
}
