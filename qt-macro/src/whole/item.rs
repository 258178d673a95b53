//! The item below the attribute.
//!
//! The compiler has parsed the item before, so it only has to be divided into its parts.

use crate::whole::slices::{attributes, find, parts};
use qtdec_core::tokens::arguments::{angles, begins_with, ungrouped, word};
use qtdec_core::tokens::{Code, Delimiter, Ident, Token};

use crate::whole::errors::Error;

/// An item that the attribute accepts.
pub(crate) enum Item<'t> {
    Function(MapFn<'t>),
    Enum(MapEnum<'t>),
}

/// A function with or without a body.
pub(crate) struct MapFn<'t> {
    /// The attributes, each as what stands between its brackets.
    pub(crate) attributes: Vec<&'t [Token]>,
    pub(crate) visibility: &'t [Token],
    /// Everything between the visibility and the body.
    pub(crate) signature: &'t [Token],
    pub(crate) name: &'t Ident,
    /// The names of the lifetimes, types and constants.
    pub(crate) generics: Vec<&'t str>,
    pub(crate) parameters: Vec<Declared<'t>>,
    pub(crate) returned: Option<&'t [Token]>,
    /// The tokens between the braces.
    pub(crate) body: Option<&'t Code>,
}

/// A parameter as it was declared.
#[derive(Clone, Copy)]
pub(crate) struct Declared<'t> {
    pub(crate) pattern: &'t [Token],
    pub(crate) ty: &'t [Token],
}

pub(crate) struct MapEnum<'t> {
    /// The attributes, each as what stands between its brackets.
    pub(crate) attributes: Vec<&'t [Token]>,
    pub(crate) visibility: &'t [Token],
    pub(crate) name: &'t Ident,
    /// The generics with their brackets.
    pub(crate) generics: &'t [Token],
    /// The tokens between the braces.
    pub(crate) variants: &'t [Token],
}

/// The words with which a signature begins.
const QUALIFIERS: [&str; 6] = ["const", "async", "unsafe", "safe", "extern", "fn"];

/// The words with which other items begin.
const OTHERS: [&str; 9] = ["struct", "union", "trait", "impl", "mod", "type", "static", "use", "macro_rules"];

impl<'t> Item<'t> {
    pub(crate) fn parse(item: &'t Code) -> Result<Self, Error> {
        let (attributes, rest) = attributes(ungrouped(item.tokens()));
        let begins = |token: &Token| {
            word(token)
                .is_some_and(|word| word == "enum" || QUALIFIERS.contains(&word) || OTHERS.contains(&word))
        };
        let start = rest.iter().position(begins).unwrap_or_default();
        let (visibility, rest) = rest.split_at(start);
        let expected = || Error::at(&rest[..rest.len().min(1)], "expected `fn` or an empty `enum`");
        match rest.first().and_then(word) {
            Some("enum") => MapEnum::parse(attributes, visibility, rest).map(Self::Enum),
            Some(word) if QUALIFIERS.contains(&word) => {
                MapFn::parse(attributes, visibility, rest).map(Self::Function)
            }
            _ => None,
        }
        .ok_or_else(expected)
    }
}

impl<'t> MapFn<'t> {
    fn parse(attributes: Vec<&'t [Token]>, visibility: &'t [Token], rest: &'t [Token]) -> Option<Self> {
        let (last, signature) = rest.split_last()?;
        let body = match last {
            Token::Group(group) if group.delimiter == Delimiter::Brace => Some(&*group.code),
            end if end.is(';') => None,
            _ => return None,
        };
        let start = signature.iter().position(|token| word(token) == Some("fn"))?;
        let (name, rest) = named(&signature[start..])?;
        let (generics, rest) = rest.split_at(angles(rest).unwrap_or_default());
        let [Token::Group(parameters), rest @ ..] = rest else { return None };
        let returned = begins_with(rest, ['-', '>']).then(|| {
            let rest = &rest[2..];
            &rest[..find(rest, |rest| word(&rest[0]) == Some("where"))]
        });
        let parameters = parts(parameters.code.tokens()).into_iter().filter_map(Declared::parse).collect();
        let generics = match generics {
            [_, parameters @ .., _] => parts(parameters).into_iter().filter_map(generic).collect(),
            _ => Vec::new(),
        };
        Some(Self { attributes, visibility, signature, name, generics, parameters, returned, body })
    }
}

impl<'t> MapEnum<'t> {
    fn parse(attributes: Vec<&'t [Token]>, visibility: &'t [Token], rest: &'t [Token]) -> Option<Self> {
        let (last, rest) = rest.split_last()?;
        let Token::Group(variants) = last else { return None };
        let (name, rest) = named(rest)?;
        let generics = &rest[..angles(rest).unwrap_or_default()];
        Some(Self { attributes, visibility, name, generics, variants: variants.code.tokens() })
    }
}

/// Returns the name after a keyword, and the rest.
fn named(tokens: &[Token]) -> Option<(&Ident, &[Token])> {
    let [_, name, rest @ ..] = tokens else { return None };
    match ungrouped(std::slice::from_ref(name)) {
        [Token::Ident(name)] => Some((name, rest)),
        _ => None,
    }
}

/// Returns the name of a generic parameter; of a lifetime, without the quote.
fn generic(parameter: &[Token]) -> Option<&str> {
    let (_, parameter) = attributes(parameter);
    let mut words = parameter.iter().filter_map(word);
    words.find(|word| *word != "const")
}

impl<'t> Declared<'t> {
    /// Returns a parameter; `None` for `self`.
    fn parse(parameter: &'t [Token]) -> Option<Self> {
        let (_, parameter) = attributes(parameter);
        let colon = find(parameter, |rest| rest[0].is(':') && !begins_with(rest, [':', ':']));
        let pattern = ungrouped(&parameter[..colon]);
        let is_self = pattern.iter().any(|token| word(token) == Some("self"));
        (!is_self).then(|| Self { pattern, ty: parameter.get(colon + 1..).unwrap_or_default() })
    }

    /// Returns the identifier that the parameter binds as a whole.
    pub(crate) fn ident(&self) -> Option<&'t Ident> {
        let mut pattern = self.pattern;
        while let [first, rest @ ..] = pattern
            && matches!(word(first), Some("mut" | "ref"))
        {
            pattern = rest;
        }
        match pattern {
            [Token::Ident(name)] if name.text() != "_" => Some(name),
            [Token::Ident(name), at, ..] if at.is('@') => Some(name),
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> Option<&'t str> {
        self.ident().map(Ident::name)
    }

    /// Returns whether the pattern is `_`.
    pub(crate) fn is_wild(&self) -> bool {
        matches!(self.pattern, [token] if word(token) == Some("_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tokens: &[Token]) -> String {
        Code::from(tokens.to_vec()).to_string()
    }

    #[test]
    fn functions_are_divided_into_their_parts() {
        let code = Code::parse(
            "#[doc = \"a\"] #[inline] pub(in a::b) const unsafe extern \"C\" fn r#fn<'a, T: Into<Vec<A, B>>, const N: usize>(
                &'a self, #[cfg(x)] mut m: Map<A, B>, (a, b): (A, B), S { c, .. }: S, _: impl Fn(A, B) -> Vec<C, D>, d @ 1..=2: a::D,
            ) -> Result<[T; N], <T as E<A>>::F> where T: G<A, B>, fn(T) -> A: Copy { a < b }",
        );
        let code = code.unwrap();
        let Ok(Item::Function(item)) = Item::parse(&code) else { panic!("it is a function") };
        assert_eq!(
            item.attributes.iter().map(|attribute| text(attribute)).collect::<Vec<_>>(),
            ["doc = \"a\"", "inline"]
        );
        assert_eq!(text(item.visibility), "pub (in a :: b)");
        assert_eq!((item.name.text(), &item.generics[..]), ("r#fn", &["a", "T", "N"][..]));
        let names: Vec<Option<&str>> = item.parameters.iter().map(Declared::name).collect();
        assert_eq!(names, [Some("m"), None, None, None, Some("d")]);
        assert!(item.parameters[3].is_wild());
        let types: Vec<String> = item.parameters.iter().map(|declared| text(declared.ty)).collect();
        assert_eq!(types[0], "Map < A , B >");
        assert_eq!(types[3], "impl Fn (A , B) -> Vec < C , D >");
        assert_eq!(text(item.returned.unwrap()), "Result < [T ; N] , < T as E < A >> :: F >");
        assert_eq!(item.body.unwrap().to_string(), "a < b");
        assert!(text(item.signature).starts_with("const unsafe extern \"C\" fn r#fn"));
    }

    #[test]
    fn a_function_may_lack_everything_but_its_name() {
        let code = Code::parse("fn f();").unwrap();
        let Ok(Item::Function(item)) = Item::parse(&code) else { panic!("it is a function") };
        assert!(item.generics.is_empty() && item.parameters.is_empty());
        assert!(item.returned.is_none() && item.body.is_none());
    }

    #[test]
    fn enums_are_divided_into_their_parts() {
        let code = Code::parse("#[a] pub(crate) enum E<T> where T: F { A, B(T) }").unwrap();
        let Ok(Item::Enum(item)) = Item::parse(&code) else { panic!("it is an enum") };
        assert_eq!((item.name.text(), text(item.generics)), ("E", "< T >".to_owned()));
        assert_eq!(text(item.variants), "A , B (T)");
    }

    #[test]
    fn other_items_are_refused() {
        for item in
            ["struct S;", "pub const A: u32 = 1;", "macro_rules! a { }", "impl S { fn f() {} }", "a", ""]
        {
            assert!(Item::parse(&Code::parse(item).unwrap()).is_err(), "{item}");
        }
    }
}
