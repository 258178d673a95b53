//! A collection of errors that are reported together.

use std::fmt::Display;

use qtdec_core::rust_at;
use qtdec_core::tokens::arguments::Fault;
use qtdec_core::tokens::{Code, Delimiter, Group, Ident, Literal, Span, Token};

/// An error at a part of the source.
pub(crate) struct Error {
    /// The places of the first and the last token at fault.
    start: Span,
    end: Span,
    message: String,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Display) -> Self {
        Self { start: span, end: span, message: message.to_string() }
    }

    /// Creates an error at some tokens.
    pub(crate) fn at(tokens: &[Token], message: impl Display) -> Self {
        let place = |token: Option<&Token>| token.map_or(Span::CALL_SITE, Token::span);
        Self { start: place(tokens.first()), end: place(tokens.last()), message: message.to_string() }
    }

    /// Returns the `compile_error!`. The compiler joins the spans of its first and its last token.
    fn to_code(&self) -> Code {
        let message = Literal::new(Literal::string(&self.message).text(), self.end);
        let message = Code::from(vec![Token::Literal(message)]);
        let mut code = rust_at!(self.start, "::core::compile_error!");
        code.push(Token::Group(Group::new(Delimiter::Brace, message, self.end)));
        code
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::new(fault.span, fault.message)
    }
}

#[derive(Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    /// Adds an error at some tokens.
    pub(crate) fn at(&mut self, tokens: &[Token], message: impl Display) {
        self.push(Error::at(tokens, message));
    }

    /// Adds an error at an identifier.
    pub(crate) fn name(&mut self, name: &Ident, message: impl Display) {
        self.span(name.span, message);
    }

    /// Adds an error at a span.
    pub(crate) fn span(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns one `compile_error!` for each error, as items or statements. Inside a function they keep the compiler from evaluating
    /// it, and thus from reporting errors in the constants that call it.
    pub(crate) fn to_code(&self) -> Code {
        self.0.iter().map(Error::to_code).collect()
    }
}
