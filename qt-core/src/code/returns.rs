//! What a function returns, read from its return type.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;

/// What a function returns for a method.
#[derive(Clone, Debug)]
pub enum Returns {
    /// A variant of this enum, named after the method.
    Variant(TokenStream),
    /// The id as this integer type.
    Id(TokenStream),
    /// The label, as in `"pipeline/8192"`.
    Label,
}

/// How the result is wrapped up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// Not at all.
    Bare,
    /// In `Some`, and `None` where there is no decision and no fallback.
    Option,
    /// In `Ok`.
    Result,
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// What a type begins with that is neither an enum nor anything else that a method could be.
const NO_ENUMS: [&str; 14] = [
    "bool", "char", "f16", "f32", "f64", "f128", "str", "String", "impl", "dyn", "fn", "for", "unsafe",
    "extern",
];

impl Returns {
    /// Reads a return type: an integer, `&str` or else an enum, bare or in an `Option` or `Result`, which are known by
    /// name. `None` for a type that is none of these.
    ///
    /// ```
    /// use qtdec_core::code::{Returns, Wrapper};
    /// let (returns, wrapper) = Returns::of(&"Result<u32, Error>".parse().unwrap()).unwrap();
    /// assert!(matches!(returns, Returns::Id(_)) && wrapper == Wrapper::Result);
    /// for none in ["(u32, u32)", "bool", "String", "impl Into<u32>"] {
    ///     assert!(Returns::of(&none.parse().unwrap()).is_none());
    /// }
    /// ```
    pub fn of(ty: &TokenStream) -> Option<(Self, Wrapper)> {
        let tokens = flat(ty);
        let (wrapper, tokens) = match generic(&tokens) {
            Some(("Option", inner)) => (Wrapper::Option, inner),
            Some(("Result", inner)) => (Wrapper::Result, inner),
            _ => (Wrapper::Bare, &tokens[..]),
        };
        let ty: TokenStream = tokens.iter().cloned().collect();
        let returns = match tokens {
            [TokenTree::Ident(first), ..] if NO_ENUMS.iter().any(|other| first == other) => return None,
            [path @ .., TokenTree::Ident(name)]
                if is_path(path) && INTEGERS.iter().any(|integer| name == integer) =>
            {
                Self::Id(ty)
            }
            [TokenTree::Punct(and), .., TokenTree::Ident(name)] if and.as_char() == '&' && name == "str" => {
                Self::Label
            }
            [TokenTree::Ident(_), .., TokenTree::Ident(_)] | [TokenTree::Ident(_)] => Self::Variant(ty),
            // `::a::B`, `<A as B>::C`, `A<B>`
            [TokenTree::Punct(first), ..] if matches!(first.as_char(), ':' | '<') => {
                Self::Variant(quote!(<#ty>))
            }
            [TokenTree::Ident(_), ..] => Self::Variant(quote!(<#ty>)),
            _ => return None,
        };
        Some((returns, wrapper))
    }

    /// The type of what is returned, without its wrapper.
    pub fn ty(&self) -> TokenStream {
        match self {
            Self::Variant(ty) | Self::Id(ty) => ty.clone(),
            Self::Label => quote!(&'static str),
        }
    }
}

impl Wrapper {
    /// The wrapper around an answer.
    pub(super) fn around(self, answer: &TokenStream) -> TokenStream {
        match self {
            Self::Bare => quote!(#answer),
            Self::Option => quote!(::core::option::Option::Some(#answer)),
            Self::Result => quote!(::core::result::Result::Ok(#answer)),
        }
    }
}

/// The tokens without the invisible groups that `macro_rules` puts around a type.
fn flat(tokens: &TokenStream) -> Vec<TokenTree> {
    let mut flattened = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flattened.extend(flat(&group.stream()));
            }
            token => flattened.push(token),
        }
    }
    flattened
}

/// Whether these are the names of modules, or nothing.
fn is_path(tokens: &[TokenTree]) -> bool {
    tokens.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    })
}

/// The last name of a path and its first generic argument: `Option` and `T` of `std::option::Option<T>`.
fn generic(tokens: &[TokenTree]) -> Option<(&'static str, &[TokenTree])> {
    let is = |token: &TokenTree, char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == char);
    let open = tokens.iter().position(|token| is(token, '<')).filter(|&open| open > 0)?;
    let name = ["Option", "Result"]
        .into_iter()
        .find(|name| matches!(&tokens[open - 1], TokenTree::Ident(ident) if ident == name))?;
    let mut depth = 0;
    let mut previous_is_dash = false;
    for (position, token) in tokens.iter().enumerate().skip(open) {
        let closes = is(token, '>') && !previous_is_dash;
        depth = if is(token, '<') {
            depth + 1
        } else if closes {
            depth - 1
        } else {
            depth
        };
        if (depth == 0 && closes) || (depth == 1 && is(token, ',')) {
            return Some((name, &tokens[open + 1..position]));
        }
        previous_is_dash = is(token, '-');
    }
    None
}

/// The place of the first token, if there is one.
pub(super) fn span_of(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
