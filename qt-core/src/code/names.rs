//! Names of the generator's own, distinct from all that stand where a function does.
//!
//! Printed code has no hygiene, and an item inside a function is seen by the body that a user wrote: a parameter `size` or a static
//! `QTDEC_TABLE` of the user's must not become another thing inside.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

use super::function::Function;

/// The names that are taken where a function stands.
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Collects the names of a function's parameters and types, of its fallback, and of what else is in scope.
    pub(super) fn of(function: &Function<'_>) -> Self {
        let mut names = Self(HashSet::new());
        for parameter in &function.parameters {
            names.take(parameter.name.to_token_stream());
            names.take(parameter.ty.to_token_stream());
        }
        names.take(function.returns.ty());
        names.take(function.in_scope.clone());
        names.take(function.fallback.clone().unwrap_or_default());
        names
    }

    fn take(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    self.0.insert(name.strip_prefix("r#").unwrap_or(&name).to_owned());
                }
                TokenTree::Group(group) => self.take(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Returns the name of an item inside the function.
    pub(super) fn item(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::call_site())
    }

    /// Returns the name of a local, which as a token is invisible to the user's code as well.
    pub(super) fn local(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::mixed_site())
    }

    /// Returns `name` with as many underscores as set it apart. No name of the generator's ends in one: two never meet.
    fn fresh(&self, name: &str) -> String {
        let mut fresh = name.to_owned();
        while self.0.contains(&fresh) {
            fresh.push('_');
        }
        fresh
    }
}
