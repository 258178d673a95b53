//! The kind of value that a function returns, from its return type.

use super::accepted::is_container;
use super::type_path::TypePath;
use super::types::{is_integer, is_macro, is_nonzero, name, qualifier, referent};
use crate::rust;
use crate::tokens::arguments::ungrouped;
use crate::tokens::{Code, Token};

/// The kind of value that a function returns for a method.
///
/// The variants are complete: code that calls the function must handle each of them.
#[derive(Clone)]
pub enum ReturnKind {
    /// A variant of an enum, named after the method; these tokens come before `::Variant`.
    Variant(Code),
    /// The id, as this integer type.
    Id(Code),
    /// The label, as in `"pipeline/8192"`.
    Label,
    /// An expression for each method, such as a constant or a function of the user's.
    Own(OwnAnswers),
}

/// Expressions that a function returns for its methods.
#[derive(Clone)]
pub struct OwnAnswers {
    /// The type of the expressions.
    pub ty: Code,
    /// The label of each method with its expression.
    pub answers: Vec<(String, Code)>,
}

/// The wrapper around the result.
///
/// The variants are complete: code that calls the function must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// No wrapper.
    Bare,
    /// `Some`, or `None` where there is no decision and no fallback.
    Option,
    /// `Ok`.
    Result,
}

/// Types that can represent neither an enum nor a method in another form.
const NO_ENUMS: [&str; 8] = ["bool", "char", "f16", "f32", "f64", "f128", "str", "String"];

impl ReturnKind {
    /// Reads a return type: an integer, `&str` or an enum, bare or in an `Option` or `Result`. Types are recognised by name. Returns
    /// `None` for any other type.
    ///
    /// ```
    /// use qtdec_core::code::{ReturnKind, Wrapper};
    /// use qtdec_core::tokens::Code;
    ///
    /// let kind = |ty: &str| ReturnKind::from_type(&Code::parse(ty).unwrap());
    /// let (returns, wrapper) = kind("Result<u32, Error>").unwrap();
    /// assert!(matches!(returns, ReturnKind::Id(_)) && wrapper == Wrapper::Result);
    /// for none in ["(u32, u32)", "bool", "String", "impl Into<u32>", "Option<Option<u32>>"] {
    ///     assert!(kind(none).is_none());
    /// }
    /// ```
    pub fn from_type(ty: &Code) -> Option<(Self, Wrapper)> {
        let (wrapper, ty) = unwrapped(ty);
        let ty = ungrouped(ty);
        let is_label = || referent(ty).and_then(name) == Some("str");
        let is_other = || name(ty).is_some_and(|name| NO_ENUMS.contains(&name));
        let is_enum = || TypePath::parse(ty).is_some() && !is_nonzero(ty) && !is_container(ty) && !is_other();
        let returns = match () {
            () if is_integer(ty) => Self::Id(ty.to_vec().into()),
            () if is_label() => Self::Label,
            () if is_enum() || is_macro(ty) => Self::Variant(qualifier(ty)),
            () => return None,
        };
        Some((returns, wrapper))
    }

    /// Returns the kind of a function that returns an expression for each method, given by the methods' labels. The type can be any,
    /// bare or in an `Option` or `Result`.
    pub fn own(ty: &Code, answers: Vec<(String, Code)>) -> (Self, Wrapper) {
        let (wrapper, ty) = unwrapped(ty);
        (Self::Own(OwnAnswers { ty: ty.to_vec().into(), answers }), wrapper)
    }

    /// Returns the return type without its wrapper.
    pub fn ty(&self) -> Code {
        match self {
            Self::Variant(ty) | Self::Id(ty) => ty.clone(),
            Self::Label => rust!("&'static str"),
            Self::Own(own) => own.ty.clone(),
        }
    }
}

impl Wrapper {
    pub(super) fn around(self, answer: &Code) -> Code {
        match self {
            Self::Bare => answer.clone(),
            Self::Option => rust!("::core::option::Option::Some(#answer)"; answer),
            Self::Result => rust!("::core::result::Result::Ok(#answer)"; answer),
        }
    }
}

/// Returns the type in an `Option` or a `Result`, or else the type itself.
fn unwrapped(ty: &Code) -> (Wrapper, &[Token]) {
    let ty = ty.tokens();
    wrapped(ty).unwrap_or((Wrapper::Bare, ty))
}

/// Returns the first generic argument of an `Option` or a `Result`.
fn wrapped(ty: &[Token]) -> Option<(Wrapper, &[Token])> {
    let path = TypePath::parse(ty)?;
    let wrapper = match path.last.text() {
        "Option" => Wrapper::Option,
        "Result" => Wrapper::Result,
        _ => return None,
    };
    Some((wrapper, path.first_type()?))
}
