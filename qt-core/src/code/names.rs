//! Generated names that differ from all names in scope.
//!
//! Printed code has no hygiene, and the user's body can see items inside the function. A parameter `size` or a static
//! `QTDEC_TABLE` of the user's must keep its meaning inside the function.

use super::function::Function;
use super::returns::ReturnKind;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;

/// The names that are in use where the function is, as often as they are used.
pub(super) struct Names(Vec<String>);

impl Names {
    /// Collects the names in a function's parameters and types, in its fallback, and in the surrounding scope.
    pub(super) fn new(function: &Function<'_>) -> Self {
        let mut names = Self(Vec::new());
        for parameter in &function.parameters {
            names.take(parameter.name.to_token_stream());
            names.take(parameter.ty.to_token_stream());
        }
        names.take(function.returns.ty());
        if let ReturnKind::Own(own) = &function.returns {
            own.answers.iter().for_each(|(_, answer)| names.take(answer.clone()));
        }
        names.take(function.in_scope.clone());
        function.fallback.iter().for_each(|body| names.take(body.clone()));
        names
    }

    fn take(&mut self, code: TokenStream) {
        for token in code {
            match token {
                TokenTree::Ident(ident) => self.0.push(ident.unraw().to_string()),
                TokenTree::Group(group) => self.take(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Returns the name of an item inside the function.
    pub(super) fn item(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::call_site())
    }

    /// Returns the name of a local variable, which as a token is also invisible to the user's code.
    pub(super) fn local(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::mixed_site())
    }

    /// Returns `name` with enough underscores to be unique. No generated name ends in an underscore, so two never collide.
    fn fresh(&self, name: &str) -> String {
        let mut fresh = name.to_owned();
        while self.0.contains(&fresh) {
            fresh.push('_');
        }
        fresh
    }
}
