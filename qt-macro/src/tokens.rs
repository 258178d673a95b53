//! Conversion of the compiler's tokens into those of the generator, and back.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use qtdec_core::tokens::{self, Code, Token};
use quote::ToTokens;

/// The spans of the user's tokens, to which those of the generator refer by their index.
pub(crate) struct Spans(Vec<Place>);

/// What is known of a token's place.
enum Place {
    Span(Span),
    /// A group has two more spans, of its brackets, which only the group itself keeps.
    Group(Group),
}

impl Spans {
    pub(crate) fn new() -> Self {
        Self(vec![Place::Span(Span::call_site()), Place::Span(Span::mixed_site())])
    }

    /// Adds a span.
    pub(crate) fn add(&mut self, span: Span) -> tokens::Span {
        self.add_place(Place::Span(span))
    }

    fn add_place(&mut self, place: Place) -> tokens::Span {
        self.0.push(place);
        tokens::Span::new(self.0.len() - 1)
    }

    /// Returns tokens as those of the generator, and adds their spans.
    pub(crate) fn code(&mut self, tokens: impl ToTokens) -> Code {
        let tokens = tokens.into_token_stream().into_iter();
        tokens.map(|token| self.token(token)).collect::<Vec<Token>>().into()
    }

    fn token(&mut self, token: TokenTree) -> Token {
        match token {
            TokenTree::Ident(ident) => Token::Ident(self.ident(&ident)),
            TokenTree::Punct(punct) => Token::Punct(tokens::Punct {
                char: punct.as_char(),
                joint: punct.spacing() == Spacing::Joint,
                span: self.add(punct.span()),
            }),
            TokenTree::Literal(literal) => {
                let span = self.add(literal.span());
                Token::Literal(tokens::Literal::new(&literal.to_string(), span))
            }
            TokenTree::Group(group) => {
                let delimiter = match group.delimiter() {
                    Delimiter::Parenthesis => tokens::Delimiter::Parenthesis,
                    Delimiter::Bracket => tokens::Delimiter::Bracket,
                    Delimiter::Brace => tokens::Delimiter::Brace,
                    Delimiter::None => tokens::Delimiter::None,
                };
                let code = self.code(group.stream());
                let span = self.add_place(Place::Group(group));
                let group = tokens::Group::new(delimiter, code, span);
                Token::Group(tokens::Group { is_original: true, ..group })
            }
        }
    }

    /// Returns an identifier as one of the generator, and adds its span.
    pub(crate) fn ident(&mut self, ident: &Ident) -> tokens::Ident {
        let span = self.add(ident.span());
        tokens::Ident::new(&ident.to_string(), span)
    }

    /// Returns the compiler's tokens for code of the generator.
    pub(crate) fn tokens(&self, code: &Code) -> TokenStream {
        code.tokens().iter().map(|token| self.token_tree(token)).collect()
    }

    fn token_tree(&self, token: &Token) -> TokenTree {
        let span = self.span(token.span());
        match token {
            Token::Ident(ident) => self.name(ident).into(),
            Token::Punct(punct) => {
                let spacing = if punct.joint { Spacing::Joint } else { Spacing::Alone };
                let mut punct = Punct::new(punct.char, spacing);
                punct.set_span(span);
                punct.into()
            }
            Token::Literal(literal) => {
                let mut literal: Literal = literal.text().parse().expect("the generator writes literals");
                literal.set_span(span);
                literal.into()
            }
            Token::Group(group) => {
                if let Some(Place::Group(original)) = self.0.get(group.span.index())
                    && group.is_original
                {
                    return original.clone().into();
                }
                let delimiter = match group.delimiter {
                    tokens::Delimiter::Parenthesis => Delimiter::Parenthesis,
                    tokens::Delimiter::Bracket => Delimiter::Bracket,
                    tokens::Delimiter::Brace => Delimiter::Brace,
                    tokens::Delimiter::None => Delimiter::None,
                };
                let mut group = Group::new(delimiter, self.tokens(&group.code));
                group.set_span(span);
                group.into()
            }
        }
    }

    /// Returns the compiler's identifier for one of the generator.
    pub(crate) fn name(&self, ident: &tokens::Ident) -> Ident {
        let span = self.span(ident.span);
        match ident.text().strip_prefix("r#") {
            Some(name) => Ident::new_raw(name, span),
            None => Ident::new(ident.text(), span),
        }
    }

    fn span(&self, span: tokens::Span) -> Span {
        match self.0.get(span.index()) {
            Some(Place::Span(span)) => *span,
            Some(Place::Group(group)) => group.span(),
            None => Span::call_site(),
        }
    }
}
