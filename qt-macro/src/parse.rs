//! The parser for the attribute's arguments and the item below it.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, ItemEnum, Lit, LitStr, Signature, Token, Visibility, braced, token};

/// The arguments of the attribute: `"maps/bcast.json", max_depth = 3, msg_size = len`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<FileName>,
    pub(crate) options: Vec<GivenOption>,
    pub(crate) renamed: Vec<Renamed>,
}

/// The path of a file.
pub(crate) struct FileName {
    pub(crate) path: String,
    /// Whether the path was computed by `concat!` and `env!`; only then may it be absolute.
    pub(crate) computed: bool,
    pub(crate) span: Span,
}

/// An option with its value: `max_depth = 3`.
pub(crate) struct GivenOption {
    pub(crate) name: Ident,
    pub(crate) value: String,
    /// The span of the value, or of the name if the option has no value.
    pub(crate) value_span: Span,
}

/// A parameter for an axis of another name: with `msg_size = len`, the parameter `len` gives the size on axis `msg_size`.
pub(crate) struct Renamed {
    pub(crate) axis: Ident,
    pub(crate) parameter: Ident,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            arguments.parse_one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

impl Arguments {
    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let span = input.span();
        if input.peek(LitStr) || (input.peek(Ident) && input.peek2(Token![!])) {
            let computed = !input.peek(LitStr);
            let path = input.parse::<macro_string::MacroString>()?.eval()?;
            self.files.push(FileName { path, computed, span });
            return Ok(());
        }
        let name: Ident = input.parse().map_err(|_| {
            syn::Error::new(span, "expected a path in quotes, or an option such as `max_depth = 3`")
        })?;
        if input.peek(Token![/]) || input.peek(Token![.]) {
            return Err(syn::Error::new(
                span,
                "a path stands in quotes: #[decision_map(\"maps/file.json\")]",
            ));
        }
        if !input.peek(Token![=]) {
            let value_span = name.span();
            self.options.push(GivenOption { name, value: "true".to_owned(), value_span });
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        if input.peek(Ident) && !input.peek(Lit) {
            self.renamed.push(Renamed { axis: name, parameter: input.parse()? });
            return Ok(());
        }
        let value_span = input.span();
        let value = match input.parse()? {
            Lit::Str(value) => value.value(),
            Lit::Int(value) => value.base10_digits().to_owned(),
            Lit::Float(value) => value.base10_digits().to_owned(),
            Lit::Bool(value) => value.value.to_string(),
            other => {
                return Err(syn::Error::new_spanned(other, "expected a number, a string, `true` or `false`"));
            }
        };
        self.options.push(GivenOption { name, value, value_span });
        Ok(())
    }
}

/// An item that the attribute accepts.
pub(crate) enum Item {
    Function(MapFn),
    Enum(ItemEnum),
}

/// A function with or without a body.
pub(crate) struct MapFn {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// The tokens between the braces, not parsed: an incomplete body still expands.
    pub(crate) body: Option<TokenStream>,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        let other = ahead.peek(Token![struct])
            || ahead.peek(Token![union])
            || ahead.peek(Token![trait])
            || ahead.peek(Token![impl])
            || ahead.peek(Token![mod])
            || ahead.peek(Token![type])
            || ahead.peek(Token![static])
            || ahead.peek(Token![use]);
        if other {
            return Err(ahead.error("expected `fn` or an empty `enum`"));
        }
        if ahead.peek(Token![enum]) {
            input.parse().map(Self::Enum)
        } else {
            input.parse().map(Self::Function)
        }
    }
}

impl Parse for MapFn {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body = if input.peek(token::Brace) {
            let body;
            braced!(body in input);
            Some(body.parse()?)
        } else {
            input.parse::<Token![;]>()?;
            None
        };
        Ok(Self { attrs, vis, sig, body })
    }
}
