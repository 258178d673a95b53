//! The item below the attribute. The compiler has parsed it before, so it only has to be divided into its parts.

use super::names::is_in;
use super::token::{Token, angles, begins, find, parts, ungrouped};

/// An item that the attribute accepts.
pub(super) enum Item<'t> {
    Function(Function<'t>),
    Enum(Enum<'t>),
}

/// A function with or without a body.
pub(super) struct Function<'t> {
    /// The attributes, each as what stands between its brackets.
    pub(super) attributes: Vec<&'t [Token]>,
    pub(super) visibility: &'t [Token],
    /// Everything between the visibility and the body.
    pub(super) signature: &'t [Token],
    pub(super) name: &'t Token,
    /// The names of the lifetimes, types and constants.
    pub(super) generics: Vec<&'t str>,
    pub(super) parameters: Vec<Declared<'t>>,
    pub(super) returned: &'t [Token],
    /// The tokens between the braces.
    pub(super) body: Option<&'t [Token]>,
}

/// A parameter as it was declared.
pub(super) struct Declared<'t> {
    pub(super) pattern: &'t [Token],
    pub(super) ty: &'t [Token],
}

pub(super) struct Enum<'t> {
    pub(super) attributes: Vec<&'t [Token]>,
    pub(super) visibility: &'t [Token],
    pub(super) name: &'t Token,
    /// The generics with their brackets.
    pub(super) generics: &'t [Token],
    /// The tokens between the braces.
    pub(super) variants: &'t [Token],
}

/// The words with which a signature begins, and those with which other items begin.
const QUALIFIERS: &str = " const async unsafe safe extern fn ";
const OTHERS: &str = " enum struct union trait impl mod type static use macro_rules ";

impl<'t> Item<'t> {
    /// Divides an item; `None` if it is neither a function nor an enum.
    pub(super) fn parse(item: &'t [Token]) -> Option<Self> {
        let (attributes, rest) = attributes(ungrouped(item));
        let begins_item = |token: &Token| is_in(QUALIFIERS, token.word()) || is_in(OTHERS, token.word());
        let (visibility, rest) = rest.split_at(rest.iter().position(begins_item)?);
        let (last, signature) = rest.split_last()?;
        if rest[0].word() == "enum" {
            let (name, after) = named(signature)?;
            let generics = &after[..angles(after)];
            return Some(Self::Enum(Enum { attributes, visibility, name, generics, variants: &last.inner }));
        }
        if !is_in(QUALIFIERS, rest[0].word()) || !(last.opens("{") || last.is(";")) {
            return None;
        }
        let start = signature.iter().position(|token| token.word() == "fn")?;
        let (name, rest) = named(&signature[start..])?;
        let (of_generics, rest) = rest.split_at(angles(rest));
        let (parameters, rest) = rest.split_first()?;
        let returned = if begins(rest, "-", ">") { &rest[2..find(rest, "where").max(2)] } else { &[] };
        Some(Self::Function(Function {
            attributes,
            visibility,
            signature,
            name,
            generics: generics(of_generics),
            parameters: declared(&parameters.inner),
            returned,
            body: last.opens("{").then_some(&last.inner[..]),
        }))
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
    pub(super) fn ident(&self) -> Option<&'t Token> {
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
    pub(super) fn name(&self) -> &'t str {
        self.ident().map_or("", Token::name)
    }
}
