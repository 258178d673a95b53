//! The attribute in a compiler.

use proc_macro::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

use super::output::{CALLED, TOKEN, mark};
use super::token::{Kind, Token};
use super::{Way, expand};

/// Expands the attribute.
pub(crate) fn decision_map(arguments: TokenStream, item: TokenStream, way: &Way) -> TokenStream {
    let site = |span: Span| TokenTree::from(Ident::new("site", span));
    let mut places = Places(vec![site(Span::call_site()), site(Span::mixed_site())]);
    let (arguments, item) = (places.tokens(arguments), places.tokens(item));
    places.stream(&expand(&arguments, &item, way))
}

/// The compiler's tokens by the index of their place.
struct Places(Vec<TokenTree>);

impl Places {
    /// Adds tokens of the compiler's.
    fn tokens(&mut self, stream: TokenStream) -> Vec<Token> {
        let mut tokens = Vec::new();
        for tree in stream {
            let (kind, text, inner) = match &tree {
                TokenTree::Ident(ident) => (Kind::Word, ident.to_string(), Vec::new()),
                TokenTree::Literal(literal) => (Kind::Literal, literal.to_string(), Vec::new()),
                TokenTree::Punct(punct) => {
                    let kind = if punct.spacing() == Spacing::Joint { Kind::Joint } else { Kind::Punct };
                    (kind, String::from(punct.as_char()), Vec::new())
                }
                TokenTree::Group(group) => {
                    let open = match group.delimiter() {
                        Delimiter::Parenthesis => "(",
                        Delimiter::Bracket => "[",
                        Delimiter::Brace => "{",
                        Delimiter::None => "",
                    };
                    (Kind::Group, open.to_owned(), self.tokens(group.stream()))
                }
            };
            tokens.push(Token { kind, text, place: self.0.len(), inner });
            self.0.push(tree);
        }
        tokens
    }

    /// Returns the compiler's tokens for code.
    fn stream(&self, code: &str) -> TokenStream {
        match code.parse() {
            Ok(stream) => self.filled(stream, None),
            Err(error) => {
                let message = format!("a name in the file makes no Rust: {error}");
                format!("::core::compile_error! {{ {message:?} }}").parse().unwrap_or_default()
            }
        }
    }

    /// Replaces the marks in code, which has this span.
    fn filled(&self, stream: TokenStream, span: Option<Span>) -> TokenStream {
        let mut filled = Vec::new();
        let mut stream = stream.into_iter();
        while let Some(mut token) = stream.next() {
            if let TokenTree::Literal(literal) = &token
                && let Some((place, suffix)) = mark(&literal.to_string())
            {
                let of_place = &self.0[place];
                let mut span = of_place.span();
                if suffix == TOKEN {
                    filled.push(of_place.clone());
                    continue;
                }
                if suffix == CALLED {
                    span = span.resolved_at(Span::call_site()).located_at(span);
                }
                match stream.next() {
                    Some(TokenTree::Group(group)) => filled.extend(self.filled(group.stream(), Some(span))),
                    Some(mut token) => {
                        token.set_span(span);
                        filled.push(token);
                    }
                    None => {}
                }
                continue;
            }
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), self.filled(group.stream(), span)).into();
            }
            if let Some(span) = span {
                token.set_span(span);
            }
            filled.push(token);
        }
        filled.into_iter().collect()
    }
}
