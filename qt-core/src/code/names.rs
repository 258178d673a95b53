//! Generated names that differ from all names in scope.
//!
//! Printed code has no hygiene, and the user's body can see items inside the function. A parameter `size` or a static
//! `QTDEC_TABLE` of the user's must keep its meaning inside the function.

use super::function::Function;
use super::returns::ReturnKind;
use crate::tokens::{Code, Ident, Span, Token};

/// The names that are in use where the function is, as often as they are used.
pub(super) struct Names(Vec<String>);

impl Names {
    /// Collects the names in a function's parameters and types, in its fallback, and in the surrounding scope.
    pub(super) fn new(function: &Function<'_>) -> Self {
        let mut names = Self(Vec::new());
        for parameter in &function.parameters {
            names.0.push(parameter.name.name().to_owned());
            names.take(&parameter.ty);
        }
        names.take(&function.returns.ty());
        if let ReturnKind::Own(own) = &function.returns {
            own.answers.iter().for_each(|(_, answer)| names.take(answer));
        }
        names.take(&function.in_scope);
        function.fallback.iter().for_each(|body| names.take(body));
        names
    }

    fn take(&mut self, code: &Code) {
        for token in code.tokens() {
            match token {
                Token::Ident(ident) => self.0.push(ident.name().to_owned()),
                Token::Group(group) => self.take(&group.code),
                Token::Punct(_) | Token::Literal(_) => {}
            }
        }
    }

    /// Returns the name of an item inside the function.
    pub(super) fn item(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::CALL_SITE)
    }

    /// Returns the name of a local variable, which as a token is also invisible to the user's code.
    pub(super) fn local(&self, name: &str) -> Ident {
        Ident::new(&self.fresh(name), Span::MIXED_SITE)
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
