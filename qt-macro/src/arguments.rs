//! The arguments of the attribute: `"maps/bcast.json", max_depth = 3, msg_size = len, answers(…)`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, LitStr, Token, Variant, parenthesized, token};

use crate::path::FileName;
use crate::tokens::{name, ungrouped};

/// A name with what is given for it; no tokens for an option that is on.
pub(crate) struct Given {
    pub(crate) name: Ident,
    pub(crate) value: TokenStream,
    /// Whether the name is an axis even if an option has it.
    pub(crate) is_axis: bool,
}

/// An expression for the method with a label.
pub(crate) struct Answer {
    pub(crate) label: String,
    /// The label as the user writes it.
    pub(crate) at: TokenStream,
    pub(crate) value: TokenStream,
}

#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<FileName>,
    pub(crate) given: Vec<Given>,
    pub(crate) answers: Vec<Answer>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            arguments.parse_one(input)?;
            after_comma(input)?;
        }
        Ok(arguments)
    }
}

/// Parses the comma after an argument that is not the last one.
fn after_comma(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    Err(input.error("expected `,`"))
}

impl Arguments {
    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let is_macro = input.peek(Ident::peek_any) && input.peek2(Token![!]) && input.peek3(token::Paren);
        if input.peek(LitStr) || is_macro {
            self.files.push(input.parse()?);
            return Ok(());
        }
        let Ok(name) = input.fork().call(Ident::parse_any) else {
            return Err(input.error("expected a path in quotes, or an option such as `max_depth = 3`"));
        };
        let fault = |message: &str| Err(syn::Error::new(name.span(), message));
        input.call(Ident::parse_any)?;
        if input.peek(token::Paren) {
            if name != "axis" && name != "answers" {
                return fault(&format!("write `{name} = …`; parentheses are for `axis(…)` and `answers(…)`"));
            }
            let content;
            parenthesized!(content in input);
            return if name == "axis" { self.parse_axes(&content) } else { self.parse_answers(&content) };
        }
        if input.peek(Token![=]) {
            if name == "file" {
                return fault("the path comes first, without a name: #[decision_map(\"maps/file.json\", …)]");
            }
            let value = value(&name, input)?;
            self.given.push(Given { name, value, is_axis: false });
            return Ok(());
        }
        if input.peek(Token![/]) || input.peek(Token![.]) {
            return fault("a path must be in quotes: #[decision_map(\"maps/file.json\")]");
        }
        if input.peek(Token![:]) {
            return Err(input.error(format!("write `=` between an option and its value: {name} = …")));
        }
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("expected `=` or `,`"));
        }
        self.given.push(Given { name, value: TokenStream::new(), is_axis: false });
        Ok(())
    }

    /// Parses the parentheses of `axis(depth = level, n = 64)`.
    fn parse_axes(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let name = input.call(Ident::parse_any).map_err(|error| expected_name(&error))?;
            let value = value(&name, input)?;
            self.given.push(Given { name, value, is_axis: true });
            after_comma(input)?;
        }
        Ok(())
    }

    /// Parses the parentheses of `answers(simple = kernels::simple, "pipeline/8192" = PIPELINE)`.
    fn parse_answers(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let (label, at) = if input.peek(LitStr) {
                let text: LitStr = input.parse()?;
                (text.value(), quote!(#text))
            } else {
                let ident = input.call(Ident::parse_any).map_err(|error| expected_name(&error))?;
                (name(&ident), quote!(#ident))
            };
            let value = value(&at, input)?;
            self.answers.push(Answer { label, at, value });
            after_comma(input)?;
        }
        Ok(())
    }
}

fn expected_name(error: &syn::Error) -> syn::Error {
    syn::Error::new(error.span(), "expected a name with its value, as in `name = …`")
}

/// Parses the `=` and the expression after a name.
///
/// Without its feature `full`, syn finds the end of every expression only as the discriminant of a variant, and only if it cannot take the
/// beginning of it for a simple expression, as of `n?` or `data[1..]`: nothing simple begins with `return`.
fn value(name: &impl quote::ToTokens, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.is_empty() {
        return Err(syn::Error::new_spanned(name, "expected `=` after the name"));
    }
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(name, "expected a name with its value, as in `name = …`"));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        let name = name.to_token_stream();
        return Err(syn::Error::new_spanned(&name, format!("`{name}` has no value after `=`")));
    }
    let rest: TokenStream = input.fork().parse()?;
    let Ok(after) = tokens_after.parse2(quote!(value = return #rest)) else {
        // This is no expression, or a comma is missing after one.
        input.parse::<Expr>()?;
        return Err(input.error("expected `,`"));
    };
    let length = rest.clone().into_iter().count() - after;
    for _ in 0..length {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(ungrouped(rest.into_iter().take(length).collect()))
}

/// Parses a variant, and returns the number of tokens after it.
fn tokens_after(input: ParseStream<'_>) -> syn::Result<usize> {
    input.parse::<Variant>()?;
    let rest: TokenStream = input.parse()?;
    Ok(rest.into_iter().count())
}
