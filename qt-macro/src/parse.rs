//! The attribute's arguments and the item it stands on.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, ItemEnum, Lit, LitStr, Signature, Token, Visibility, braced, token};

/// `"maps/bcast.json", max_depth = 3, msg_size = len`
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<FileName>,
    pub(crate) options: Vec<GivenOption>,
    pub(crate) renamed: Vec<Renamed>,
}

/// The name of a file.
pub(crate) struct FileName {
    pub(crate) path: String,
    /// Whether it was put together by `concat!` and `env!`, and may then be absolute.
    pub(crate) computed: bool,
    pub(crate) span: Span,
}

/// `max_depth = 3`
pub(crate) struct GivenOption {
    pub(crate) name: Ident,
    pub(crate) value: String,
    /// Where the value stands, or the name of an option without one.
    pub(crate) value_span: Span,
}

/// `msg_size = len`: the parameter `len` gives the size on axis `msg_size`.
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
                "a path must be in quotes: #[decision_map(\"maps/file.json\")]",
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

/// What the attribute may stand on.
pub(crate) enum Item {
    Function(MapFn),
    Enum(ItemEnum),
}

/// A function with a body or without one.
pub(crate) struct MapFn {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// What stands between the braces, unread: a body that is half typed still expands.
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
