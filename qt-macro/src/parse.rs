//! The parser for the attribute's arguments and the item below it.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprLit, Ident, ItemEnum, Lit, LitStr, Signature, Token, Visibility, braced,
    parenthesized, token,
};

/// The arguments of the attribute: `"maps/bcast.json", max_depth = 3, msg_size = len`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<FileName>,
    pub(crate) options: Vec<GivenOption>,
    pub(crate) renamed: Vec<Renamed>,
    pub(crate) computed: Vec<Computed>,
    pub(crate) answers: Vec<GivenAnswer>,
}

/// The path of a file.
pub(crate) struct FileName {
    pub(crate) path: String,
    /// Whether the path was computed by `concat!` and `env!`; only then may it be absolute.
    pub(crate) computed: bool,
    pub(crate) span: Span,
}

/// An option with its value: `max_depth = 3`; or a constant on an axis, which only the map can tell apart.
#[derive(Clone)]
pub(crate) struct GivenOption {
    pub(crate) name: Ident,
    pub(crate) value: String,
    /// The literal, if there is one.
    pub(crate) literal: Option<Lit>,
    /// The span of the value, or of the name if the option has no value.
    pub(crate) value_span: Span,
}

/// A parameter for an axis of another name: with `msg_size = len`, the parameter `len` gives the size on axis `msg_size`.
pub(crate) struct Renamed {
    pub(crate) axis: Ident,
    pub(crate) parameter: Ident,
}

/// An expression for the size on an axis: `m = data.len()`, or anything in `axis(…)`.
pub(crate) struct Computed {
    pub(crate) axis: Ident,
    pub(crate) value: Expr,
}

/// An expression that is returned for a method: `answers(blocked = kernels::blocked)`.
pub(crate) struct GivenAnswer {
    pub(crate) label: String,
    pub(crate) value: Expr,
    pub(crate) span: Span,
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
        if input.peek(LitStr) || (input.peek(Ident) && input.peek2(Token![!]) && !input.peek2(Token![!=])) {
            let computed = !input.peek(LitStr);
            let path = input.parse::<macro_string::MacroString>()?.eval()?;
            self.files.push(FileName { path, computed, span });
            return Ok(());
        }
        let name: Ident = input.call(Ident::parse_any).map_err(|_| {
            syn::Error::new(span, "expected a path in quotes, or an option such as `max_depth = 3`")
        })?;
        if input.peek(Token![/]) || input.peek(Token![.]) {
            return Err(syn::Error::new(
                span,
                "a path must be in quotes: #[decision_map(\"maps/file.json\")]",
            ));
        }
        if name == "file" && input.peek(Token![=]) {
            return Err(syn::Error::new(
                span,
                "the path comes first, without a name: #[decision_map(\"maps/file.json\", …)]",
            ));
        }
        if input.peek(Token![:]) && !input.peek(Token![::]) {
            return Err(syn::Error::new(
                input.span(),
                format!("write `=` between an option and its value: {name} = …"),
            ));
        }
        if (name == "axis" || name == "answers") && input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            return if name == "axis" { self.parse_axes(&content) } else { self.parse_answers(&content) };
        }
        if input.peek(token::Paren) {
            return Err(syn::Error::new(
                span,
                format!("write `{name} = …`; parentheses are for `axis(…)` and `answers(…)`"),
            ));
        }
        if !input.peek(Token![=]) {
            if !input.is_empty() && !input.peek(Token![,]) {
                return Err(syn::Error::new(input.span(), "expected `=` or `,`"));
            }
            let value_span = name.span();
            self.options.push(GivenOption { name, value: "true".to_owned(), literal: None, value_span });
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new(name.span(), format!("`{name}` has no value after `=`")));
        }
        self.parse_value(name, input)
    }

    /// Parses what is given after `=`.
    fn parse_value(&mut self, name: Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let value_span = input.span();
        let value = ungrouped(input.parse()?);
        if let Some(parameter) = identifier(&value) {
            self.renamed.push(Renamed { axis: name, parameter });
            return Ok(());
        }
        let Expr::Lit(ExprLit { lit, .. }) = value else {
            self.computed.push(Computed { axis: name, value });
            return Ok(());
        };
        let value = match &lit {
            Lit::Str(value) => value.value(),
            Lit::Int(value) => value.base10_digits().to_owned(),
            Lit::Float(value) => value.base10_digits().to_owned(),
            Lit::Bool(value) => value.value.to_string(),
            other => {
                return Err(syn::Error::new_spanned(other, "expected a number, a string, `true` or `false`"));
            }
        };
        self.options.push(GivenOption { name, value, literal: Some(lit), value_span });
        Ok(())
    }

    /// Parses the parentheses of `axis(depth = level, n = 64)`, whose names are axes even where an option has the name.
    fn parse_axes(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let pairs = input.call(Punctuated::<Pair, Token![,]>::parse_terminated)?;
        for Pair { name, value } in pairs {
            let PairName::Ident(axis) = name else {
                return Err(syn::Error::new(name.span(), "the name of an axis is written without quotes"));
            };
            match identifier(&value) {
                Some(parameter) => self.renamed.push(Renamed { axis, parameter }),
                None => self.computed.push(Computed { axis, value }),
            }
        }
        Ok(())
    }

    /// Parses the parentheses of `answers(simple = kernels::simple, "pipeline/8192" = PIPELINE)`.
    fn parse_answers(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let pairs = input.call(Punctuated::<Pair, Token![,]>::parse_terminated)?;
        self.answers.extend(pairs.into_iter().map(|Pair { name, value }| {
            let span = name.span();
            let label = match name {
                PairName::Ident(ident) => ident.unraw().to_string(),
                PairName::Text(text) => text.value(),
            };
            GivenAnswer { label, value, span }
        }));
        Ok(())
    }
}

/// Returns an expression without the invisible groups that `macro_rules` puts around it.
fn ungrouped(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

/// Returns the identifier that an expression consists of.
fn identifier(value: &Expr) -> Option<Ident> {
    match value {
        Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// A name and an expression.
struct Pair {
    name: PairName,
    value: Expr,
}

/// A name, in quotes if it is no identifier.
enum PairName {
    Ident(Ident),
    Text(LitStr),
}

impl PairName {
    fn span(&self) -> Span {
        match self {
            Self::Ident(ident) => ident.span(),
            Self::Text(text) => text.span(),
        }
    }
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = if input.peek(LitStr) {
            PairName::Text(input.parse()?)
        } else {
            PairName::Ident(input.call(Ident::parse_any)?)
        };
        input.parse::<Token![=]>()?;
        Ok(Self { name, value: ungrouped(input.parse()?) })
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
