//! Conversion of the compiler's tokens into those of the generator, and back.

use std::path::PathBuf;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use qtdec_core::tokens::{self, Code, Token};

/// The places of the user's tokens, to which those of the generator refer by their index.
///
/// Outside a compiler there are none, as in tests.
#[derive(Default)]
pub(crate) struct Spans(Vec<Place>);

/// What is known of a token's place.
enum Place {
    Span(Span),
    /// An identifier of the user's, which may have a text that no new one can have, such as `$crate`.
    Ident(Ident),
    /// A group has two more spans, of its brackets, which only the group itself keeps.
    Group(Group),
}

impl Spans {
    pub(crate) fn of_compiler() -> Self {
        Self(vec![Place::Span(Span::call_site()), Place::Span(Span::mixed_site())])
    }

    fn add(&mut self, place: Place) -> tokens::Span {
        self.0.push(place);
        tokens::Span::new(self.0.len() - 1)
    }

    /// Returns tokens as those of the generator, and adds their spans.
    pub(crate) fn code(&mut self, tokens: TokenStream) -> Code {
        tokens.into_iter().map(|token| self.token(token)).collect::<Vec<Token>>().into()
    }

    fn token(&mut self, token: TokenTree) -> Token {
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                Token::Ident(tokens::Ident::new(&text, self.add(Place::Ident(ident))))
            }
            TokenTree::Punct(punct) => Token::Punct(tokens::Punct {
                char: punct.as_char(),
                joint: punct.spacing() == Spacing::Joint,
                span: self.add(Place::Span(punct.span())),
            }),
            TokenTree::Literal(literal) => {
                let span = self.add(Place::Span(literal.span()));
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
                let span = self.add(Place::Group(group));
                let group = tokens::Group::new(delimiter, code, span);
                Token::Group(tokens::Group { is_original: true, ..group })
            }
        }
    }

    /// Returns the compiler's tokens for code of the generator.
    pub(crate) fn tokens(&self, code: &Code) -> TokenStream {
        code.tokens().iter().map(|token| self.token_tree(token)).collect()
    }

    fn token_tree(&self, token: &Token) -> TokenTree {
        let span = self.span(token.span());
        match token {
            Token::Ident(ident) => self.ident(ident).into(),
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

    fn ident(&self, ident: &tokens::Ident) -> Ident {
        if let Some(Place::Ident(original)) = self.0.get(ident.span.index())
            && original.to_string() == ident.text()
        {
            return original.clone();
        }
        let span = self.span(ident.span);
        match ident.text().strip_prefix("r#") {
            Some(name) => Ident::new_raw(name, span),
            None if ident.text().is_ascii() => Ident::new(ident.text(), span),
            None => checked(ident.text(), span),
        }
    }

    fn span(&self, span: tokens::Span) -> Span {
        match self.0.get(span.index()) {
            Some(Place::Span(span)) => *span,
            Some(Place::Ident(ident)) => ident.span(),
            Some(Place::Group(group)) => group.span(),
            None => Span::call_site(),
        }
    }

    /// Returns code as people write it.
    pub(crate) fn text(&self, code: &Code) -> String {
        if self.0.is_empty() { code.to_string() } else { self.tokens(code).to_string() }
    }

    /// Returns the source file of a place, if the compiler can name it.
    pub(crate) fn local_file(&self, span: tokens::Span) -> Option<PathBuf> {
        if self.0.is_empty() { None } else { self.span(span).local_file() }
    }

    /// Returns the same place, at which names have the scope of the attribute's call.
    pub(crate) fn at_call_site(&mut self, span: tokens::Span) -> tokens::Span {
        if self.0.is_empty() {
            return span;
        }
        let place = self.span(span);
        self.add(Place::Span(place.resolved_at(Span::call_site()).located_at(place)))
    }
}

/// Returns an identifier with letters beyond ASCII, of which only the compiler knows all. It reports `_` in place of a name that it does
/// not accept.
fn checked(text: &str, span: Span) -> Ident {
    let tokens = text.parse::<TokenStream>().into_iter().flatten();
    match &tokens.collect::<Vec<TokenTree>>()[..] {
        [TokenTree::Ident(_)] => Ident::new(text, span),
        _ => Ident::new("_", span),
    }
}
