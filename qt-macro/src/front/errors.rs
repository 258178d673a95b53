//! Errors that are reported together.

use super::output::at;
use super::token::{CALL_SITE, Token};

/// The `compile_error!` of each error, as items or statements.
#[derive(Default)]
pub(crate) struct Errors(String);

impl Errors {
    /// Adds an error at some tokens. The compiler joins the spans of the first and the last token of a `compile_error!`.
    pub(crate) fn at(&mut self, tokens: &[Token], message: &str) {
        let place = |token: Option<&Token>| token.map_or(CALL_SITE, |token| token.place);
        self.add(place(tokens.first()), place(tokens.last()), message);
    }

    /// Adds an error at a place.
    pub(crate) fn place(&mut self, place: usize, message: &str) {
        self.add(place, place, message);
    }

    fn add(&mut self, start: usize, end: usize, message: &str) {
        self.0 += &at(start, "{ ::core::compile_error! }");
        self.0 += &at(end, &format!("{{ {{ {message:?} }} }}"));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn code(self) -> String {
        self.0
    }
}
