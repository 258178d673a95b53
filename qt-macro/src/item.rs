//! The item below the attribute.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, DeriveInput, GenericParam, Generics, ReturnType, Token, Type, Visibility, parenthesized, token,
};

use crate::tokens::{name, ungrouped};

/// An item that the attribute accepts.
pub(crate) enum Item {
    Function(Box<Function>),
    Enum(Box<DeriveInput>),
}

/// A function with or without a body.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// Everything between the visibility and the body.
    pub(crate) signature: TokenStream,
    pub(crate) name: Ident,
    generics: Generics,
    pub(crate) parameters: Vec<Declared>,
    pub(crate) returned: Option<Type>,
    /// The tokens between the braces.
    pub(crate) body: Option<TokenStream>,
}

/// A parameter as it was declared.
pub(crate) struct Declared {
    pub(crate) pattern: TokenStream,
    pub(crate) ty: Type,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        if ahead.peek(Token![enum]) {
            return input.parse().map(|item| Self::Enum(Box::new(item)));
        }
        let at = ahead.cursor().token_stream();
        let is_function = ahead.call(qualifiers).is_ok() && ahead.peek(Token![fn]);
        if !is_function {
            let first: TokenStream = at.into_iter().take(1).collect();
            return Err(syn::Error::new_spanned(first, "expected `fn` or an empty `enum`"));
        }
        input.parse().map(|function| Self::Function(Box::new(function)))
    }
}

/// Parses what stands before `fn`, such as `const unsafe extern "C"`.
fn qualifiers(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.peek(Token![fn]) {
        match input.parse()? {
            TokenTree::Ident(word)
                if ["const", "async", "unsafe", "safe", "extern"].contains(&&*word.to_string()) => {}
            TokenTree::Literal(_) => {}
            _ => return Err(input.error("expected `fn`")),
        }
    }
    Ok(())
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let mut rest: Vec<TokenTree> = input.fork().parse::<TokenStream>()?.into_iter().collect();
        let body = match rest.pop() {
            Some(TokenTree::Group(group)) => Some(group.stream()),
            _ => None,
        };
        qualifiers(input)?;
        input.parse::<Token![fn]>()?;
        let name = input.call(Ident::parse_any)?;
        let generics = input.parse()?;
        let content;
        parenthesized!(content in input);
        let mut parameters = Vec::new();
        while !content.is_empty() {
            parameters.extend(content.call(declared)?);
        }
        let returned = input.call(returned)?;
        // A `where` clause and the body, which the compiler has parsed before.
        input.parse::<TokenStream>()?;
        let signature = rest.into_iter().collect();
        Ok(Self { attributes, visibility, signature, name, generics, parameters, returned, body })
    }
}

/// Parses a return type. One that syn does not know without its feature `full`, as with `+ use<'a>`, is kept as its tokens.
fn returned(input: ParseStream<'_>) -> syn::Result<Option<Type>> {
    if let Ok(returned) = input.fork().parse() {
        input.parse::<ReturnType>()?;
        return Ok(match returned {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(*ty),
        });
    }
    input.parse::<Token![->]>()?;
    let mut tokens = TokenStream::new();
    while !input.is_empty()
        && !input.peek(Token![where])
        && !input.peek(Token![;])
        && !input.peek(token::Brace)
    {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(Some(Type::Verbatim(tokens)))
}

/// Parses a parameter and the comma after it; `None` if it is `self`.
fn declared(input: ParseStream<'_>) -> syn::Result<Option<Declared>> {
    input.call(Attribute::parse_outer)?;
    let mut pattern = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) && (!input.peek(Token![:]) || input.peek(Token![::])) {
        if input.peek(Token![::]) {
            let colons: Token![::] = input.parse()?;
            quote::ToTokens::to_tokens(&colons, &mut pattern);
        } else {
            pattern.extend([input.parse::<TokenTree>()?]);
        }
    }
    let pattern = ungrouped(pattern);
    let ty = if input.parse::<Option<Token![:]>>()?.is_some() { Some(input.parse()?) } else { None };
    input.parse::<Option<Token![,]>>()?;
    let is_self =
        pattern.clone().into_iter().any(|tree| matches!(tree, TokenTree::Ident(word) if word == "self"));
    Ok(ty.filter(|_| !is_self).map(|ty| Declared { pattern, ty }))
}

impl Function {
    /// Returns whether an item inside the function can name a type, which has neither `Self` nor one of the function's generics.
    pub(crate) fn can_name(&self, ty: &TokenStream) -> bool {
        let is_generic = |word: &Ident| {
            self.generics.params.iter().any(|parameter| match parameter {
                GenericParam::Lifetime(parameter) => parameter.lifetime.ident == *word,
                GenericParam::Type(parameter) => parameter.ident == *word,
                GenericParam::Const(parameter) => parameter.ident == *word,
            })
        };
        crate::tokens::identifiers(ty).iter().all(|word| word != "Self" && !is_generic(word))
    }

    /// Returns the generic parameter that a type is.
    pub(crate) fn generic(&self, ty: &Type) -> Option<&Ident> {
        let Type::Path(path) = ty else { return None };
        let mut types = self.generics.type_params().map(|parameter| &parameter.ident);
        types.find(|ident| path.path.is_ident(*ident))
    }
}

impl Declared {
    /// Returns the identifier that the parameter binds as a whole.
    pub(crate) fn ident(&self) -> Option<Ident> {
        let mut trees = self.pattern.clone().into_iter().peekable();
        while let Some(TokenTree::Ident(word)) = trees.peek() {
            if word != "mut" && word != "ref" {
                break;
            }
            trees.next();
        }
        match (trees.next()?, trees.next()) {
            (TokenTree::Ident(name), None) if name != "_" => Some(name),
            (TokenTree::Ident(name), Some(TokenTree::Punct(at))) if at.as_char() == '@' => Some(name),
            _ => None,
        }
    }

    /// Returns the name that the parameter binds; empty if it binds none.
    pub(crate) fn name(&self) -> String {
        self.ident().map(|ident| name(&ident)).unwrap_or_default()
    }
}
