//! The item below the attribute. The compiler has parsed it before, so it only has to be divided into its parts.

use super::listing::is_in;
use super::token::{Token, angles, begins, find, parts, ungrouped};

/// An item that the attribute accepts.
pub(crate) enum Item<'t> {
    Function(Function<'t>),
    Enum(Enum<'t>),
}

/// A function with or without a body.
pub(crate) struct Function<'t> {
    /// The attributes, each as what stands between its brackets.
    pub(crate) attributes: Vec<&'t [Token]>,
    pub(crate) visibility: &'t [Token],
    /// Everything between the visibility and the body.
    pub(crate) signature: &'t [Token],
    pub(crate) name: &'t Token,
    /// The names of the lifetimes, types and constants.
    pub(crate) generics: Vec<&'t str>,
    pub(crate) parameters: Vec<Declared<'t>>,
    pub(crate) returned: &'t [Token],
    /// The tokens between the braces.
    pub(crate) body: Option<&'t [Token]>,
}

/// A parameter as it was declared.
pub(crate) struct Declared<'t> {
    pub(crate) pattern: &'t [Token],
    pub(crate) ty: &'t [Token],
}

pub(crate) struct Enum<'t> {
    pub(crate) attributes: Vec<&'t [Token]>,
    pub(crate) visibility: &'t [Token],
    pub(crate) name: &'t Token,
    /// The generics with their brackets.
    pub(crate) generics: &'t [Token],
    /// The tokens between the braces.
    pub(crate) variants: &'t [Token],
}

/// The words with which a signature begins, and those with which other items begin.
const QUALIFIERS: &str = " const async unsafe safe extern fn ";
const OTHERS: &str = " enum struct union trait impl mod type static use macro_rules ";

impl<'t> Item<'t> {
    /// Divides an item.
    ///
    /// # Errors
    ///
    /// Returns the token that shows that the item is neither a function nor an enum.
    pub(crate) fn parse(item: &'t [Token]) -> Result<Self, &'t [Token]> {
        let (attributes, rest) = attributes(ungrouped(item));
        let begins_item = |token: &Token| is_in(QUALIFIERS, token.word()) || is_in(OTHERS, token.word());
        let start = rest.iter().position(begins_item).unwrap_or_default();
        let (visibility, rest) = rest.split_at(start);
        let parsed = match rest.first().map_or("", Token::word) {
            "enum" => Enum::parse(attributes, visibility, rest).map(Self::Enum),
            word if is_in(QUALIFIERS, word) => {
                Function::parse(attributes, visibility, rest).map(Self::Function)
            }
            _ => None,
        };
        parsed.ok_or(&rest[..rest.len().min(1)])
    }
}

impl<'t> Function<'t> {
    fn parse(attributes: Vec<&'t [Token]>, visibility: &'t [Token], rest: &'t [Token]) -> Option<Self> {
        let (last, signature) = rest.split_last()?;
        if !(last.opens("{") || last.is(";")) {
            return None;
        }
        let start = signature.iter().position(|token| token.word() == "fn")?;
        let (name, rest) = named(&signature[start..])?;
        let (of_generics, rest) = rest.split_at(angles(rest));
        let (parameters, rest) = rest.split_first()?;
        Some(Self {
            attributes,
            visibility,
            signature,
            name,
            generics: generics(of_generics),
            parameters: declared(&parameters.inner),
            returned: if begins(rest, "-", ">") { &rest[2..find(rest, "where").max(2)] } else { &[] },
            body: last.opens("{").then_some(&last.inner[..]),
        })
    }
}

impl<'t> Enum<'t> {
    fn parse(attributes: Vec<&'t [Token]>, visibility: &'t [Token], rest: &'t [Token]) -> Option<Self> {
        let (last, rest) = rest.split_last()?;
        let (name, rest) = named(rest)?;
        Some(Self { attributes, visibility, name, generics: &rest[..angles(rest)], variants: &last.inner })
    }
}

/// Returns the attributes with which tokens begin, each as what stands between its brackets, and the rest.
fn attributes(mut tokens: &[Token]) -> (Vec<&[Token]>, &[Token]) {
    let mut attributes = Vec::new();
    while let [hash, group, rest @ ..] = tokens
        && hash.is("#")
        && group.opens("[")
    {
        attributes.push(&group.inner[..]);
        tokens = rest;
    }
    (attributes, tokens)
}

/// Returns the name after a keyword, and the rest.
fn named(tokens: &[Token]) -> Option<(&Token, &[Token])> {
    let [_, name, rest @ ..] = tokens else { return None };
    Some((ungrouped(std::slice::from_ref(name)).first()?, rest))
}

/// Returns the names of generic parameters in brackets; of lifetimes, without the quote.
fn generics(tokens: &[Token]) -> Vec<&str> {
    let mut names = Vec::new();
    if let [_, parameters @ .., _] = tokens {
        for parameter in parts(parameters) {
            let (_, parameter) = attributes(parameter);
            let name = parameter.iter().find(|token| !matches!(token.word(), "" | "const"));
            names.extend(name.map(Token::word));
        }
    }
    names
}

/// Returns the parameters without `self`.
fn declared(parameters: &[Token]) -> Vec<Declared<'_>> {
    let mut declared = Vec::new();
    for parameter in parts(parameters) {
        let (_, parameter) = attributes(parameter);
        let colon = find(parameter, ":");
        let pattern = ungrouped(&parameter[..colon]);
        if !pattern.iter().any(|token| token.word() == "self") {
            declared.push(Declared { pattern, ty: parameter.get(colon + 1..).unwrap_or_default() });
        }
    }
    declared
}

impl<'t> Declared<'t> {
    /// Returns the identifier that the parameter binds as a whole.
    pub(crate) fn ident(&self) -> Option<&'t Token> {
        let mut pattern = self.pattern;
        while let [first, rest @ ..] = pattern
            && matches!(first.word(), "mut" | "ref")
        {
            pattern = rest;
        }
        match pattern {
            [name] if !matches!(name.word(), "" | "_") => Some(name),
            [name, at, ..] if at.is("@") && !name.word().is_empty() => Some(name),
            _ => None,
        }
    }

    /// Returns the name that the parameter binds; empty if it binds none.
    pub(crate) fn name(&self) -> &'t str {
        self.ident().map_or("", Token::name)
    }
}
