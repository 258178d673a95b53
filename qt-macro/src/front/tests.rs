//! Tests of what the user writes, and the expansion outside a compiler.

use qtdec_core::tokens::{self, Code};

use super::item::{Declared, Function, Item};
use super::output::{TOKEN, mark};
use super::token::{Kind, Token, text};
use super::{Way, expand};

/// Returns tokens of the generator as the user's tokens, with the index of each in `places`.
fn user(code: &Code, places: &mut Vec<tokens::Token>) -> Vec<Token> {
    let mut tokens = Vec::new();
    for token in code.tokens() {
        let (kind, text, inner) = match token {
            tokens::Token::Ident(ident) => (Kind::Word, ident.text().to_owned(), Vec::new()),
            tokens::Token::Literal(literal) => (Kind::Literal, literal.text().to_owned(), Vec::new()),
            tokens::Token::Punct(punct) => {
                (if punct.joint { Kind::Joint } else { Kind::Punct }, punct.char.to_string(), Vec::new())
            }
            tokens::Token::Group(group) => {
                let open = match group.delimiter {
                    tokens::Delimiter::Parenthesis => "(",
                    tokens::Delimiter::Bracket => "[",
                    tokens::Delimiter::Brace => "{",
                    tokens::Delimiter::None => "",
                };
                (Kind::Group, open.to_owned(), user(&group.code, places))
            }
        };
        tokens.push(Token { kind, text, place: places.len(), inner });
        places.push(token.clone());
    }
    tokens
}

/// Replaces the marks in code.
fn filled(code: &Code, places: &[tokens::Token]) -> Code {
    let mut filled_code = Code::new();
    let mut rest = code.tokens().iter();
    while let Some(token) = rest.next() {
        match token {
            tokens::Token::Literal(literal) if mark(literal.text()).is_some() => {
                let (place, suffix) = mark(literal.text()).unwrap();
                if suffix == TOKEN {
                    filled_code.push(places[place].clone());
                    continue;
                }
                match rest.next().unwrap() {
                    tokens::Token::Group(group) => filled_code.append(filled(&group.code, places)),
                    token => filled_code.push(token.clone()),
                }
            }
            tokens::Token::Group(group) => {
                let inner = filled(&group.code, places);
                filled_code.push(tokens::Token::Group(tokens::Group::new(
                    group.delimiter,
                    inner,
                    group.span,
                )));
            }
            token => filled_code.push(token.clone()),
        }
    }
    filled_code
}

/// Expands the attribute on an item.
pub(crate) fn expanded(arguments: &str, item: &str, way: &Way) -> String {
    let mut places = Code::parse("site site").unwrap().tokens().to_vec();
    let [arguments, item] = [arguments, item].map(|text| user(&Code::parse(text).unwrap(), &mut places));
    let code = Code::parse(&expand(&arguments, &item, way)).unwrap();
    filled(&code, &places).to_string()
}

fn tokens(text: &str) -> Vec<Token> {
    user(&Code::parse(text).unwrap(), &mut Vec::new())
}

fn function(item: &[Token]) -> Function<'_> {
    match Item::parse(item) {
        Ok(Item::Function(function)) => function,
        _ => panic!("it is no function"),
    }
}

#[test]
fn functions_are_divided_into_their_parts() {
    let item = tokens(
        "#[doc = \"a\"] #[inline] pub(in a::b) const unsafe extern \"C\" fn r#fn<'a, T: Into<Vec<A, B>>, const N: usize>(
            &'a self, #[cfg(x)] mut m: Map<A, B>, (a, b): (A, B), S { c, .. }: S, _: impl Fn(A, B) -> Vec<C, D>, d @ 1..=2: a::D,
        ) -> Result<[T; N], <T as E<A>>::F> where T: G<A, B>, fn(T) -> A: Copy { a < b }",
    );
    let item = function(&item);
    let attributes: Vec<String> = item.attributes.iter().map(|attribute| text(attribute)).collect();
    assert_eq!(attributes, ["doc=\"a\"", "inline"]);
    assert_eq!(text(item.visibility), "pub(in a::b)");
    assert_eq!((item.name.word(), &item.generics[..]), ("r#fn", &["a", "T", "N"][..]));
    let names: Vec<&str> = item.parameters.iter().map(Declared::name).collect();
    assert_eq!(names, ["m", "", "", "", "d"]);
    let types: Vec<String> = item.parameters.iter().map(|declared| text(declared.ty)).collect();
    assert_eq!(types[0], "Map<A, B>");
    assert_eq!(types[3], "impl Fn(A, B)->Vec<C, D>");
    assert_eq!(text(item.returned), "Result<[T;N], <T as E<A>>::F>");
    assert_eq!(text(item.body.unwrap()), "a<b");
    assert!(text(item.signature).starts_with("const unsafe extern\"C\"fn r#fn"));
}

#[test]
fn a_function_may_lack_everything_but_its_name() {
    let item = tokens("fn f();");
    let item = function(&item);
    assert!(item.generics.is_empty() && item.parameters.is_empty());
    assert!(item.returned.is_empty() && item.body.is_none());
}

#[test]
fn enums_are_divided_into_their_parts() {
    let item = tokens("#[a] pub(crate) enum E<T> where T: F { A, B(T) }");
    let Ok(Item::Enum(item)) = Item::parse(&item) else { panic!("it is an enum") };
    assert_eq!((item.name.word(), text(item.generics)), ("E", "<T>".to_owned()));
    assert_eq!(text(item.variants), "A, B(T)");
}

#[test]
fn other_items_are_refused() {
    for item in ["struct S;", "pub const A: u32 = 1;", "macro_rules! a { }", "impl S { fn f() {} }", "a", ""]
    {
        assert!(Item::parse(&tokens(item)).is_err(), "{item}");
    }
}
