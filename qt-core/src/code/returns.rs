//! The kind of value that a function returns, from its return type.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type, TypePath};

use super::parameter_types::is_container;
use super::types::{is_integer, is_nonzero, name, qualifier, ungrouped};

/// The kind of value that a function returns for a method.
///
/// The variants are complete: code that calls the function must handle each of them.
#[derive(Clone)]
pub enum ReturnKind {
    /// A variant of an enum, named after the method; these tokens come before `::Variant`.
    Variant(TokenStream),
    /// The id, as this integer type.
    Id(Box<Type>),
    /// The label, as in `"pipeline/8192"`.
    Label,
    /// An expression for each method, such as a constant or a function of the user's.
    Own(OwnAnswers),
}

/// Expressions that a function returns for its methods.
#[derive(Clone)]
pub struct OwnAnswers {
    /// The type of the expressions.
    pub ty: TokenStream,
    /// The label of each method with its expression.
    pub answers: Vec<(String, TokenStream)>,
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
    /// let (returns, wrapper) = ReturnKind::from_type(&syn::parse_quote!(Result<u32, Error>)).unwrap();
    /// assert!(matches!(returns, ReturnKind::Id(_)) && wrapper == Wrapper::Result);
    /// for none in ["(u32, u32)", "bool", "String", "impl Into<u32>", "Option<Option<u32>>"] {
    ///     assert!(ReturnKind::from_type(&syn::parse_str(none).unwrap()).is_none());
    /// }
    /// ```
    pub fn from_type(ty: &Type) -> Option<(Self, Wrapper)> {
        let (wrapper, ty) = wrapped(ty).unwrap_or((Wrapper::Bare, ty));
        let ty = ungrouped(ty);
        let returns = match ty {
            _ if is_integer(ty) => Self::Id(Box::new(ty.clone())),
            Type::Reference(reference) if name(&reference.elem).is_some_and(|name| name == "str") => {
                Self::Label
            }
            Type::Path(_)
                if !is_nonzero(ty)
                    && !is_container(ty)
                    && !name(ty).is_some_and(|name| NO_ENUMS.contains(&&*name)) =>
            {
                Self::Variant(qualifier(ty))
            }
            Type::Macro(_) => Self::Variant(qualifier(ty)),
            _ => return None,
        };
        Some((returns, wrapper))
    }

    /// Returns the kind of a function that returns an expression for each method, given by the methods' labels. The type can be any,
    /// bare or in an `Option` or `Result`.
    pub fn own(ty: &Type, answers: Vec<(String, TokenStream)>) -> (Self, Wrapper) {
        let (wrapper, ty) = wrapped(ty).unwrap_or((Wrapper::Bare, ty));
        (Self::Own(OwnAnswers { ty: ty.to_token_stream(), answers }), wrapper)
    }

    /// Returns the return type without its wrapper.
    pub fn ty(&self) -> TokenStream {
        match self {
            Self::Variant(ty) => ty.clone(),
            Self::Id(ty) => ty.to_token_stream(),
            Self::Label => quote!(&'static str),
            Self::Own(own) => own.ty.clone(),
        }
    }
}

impl Wrapper {
    pub(super) fn around(self, answer: &TokenStream) -> TokenStream {
        match self {
            Self::Bare => answer.clone(),
            Self::Option => quote!(::core::option::Option::Some(#answer)),
            Self::Result => quote!(::core::result::Result::Ok(#answer)),
        }
    }
}

/// Returns the first generic argument of an `Option` or a `Result`.
fn wrapped(ty: &Type) -> Option<(Wrapper, &Type)> {
    let Type::Path(TypePath { path, .. }) = ungrouped(ty) else { return None };
    let last = path.segments.last()?;
    let wrapper = match &*last.ident.to_string() {
        "Option" => Wrapper::Option,
        "Result" => Wrapper::Result,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some((wrapper, ty)),
        _ => None,
    })
}
