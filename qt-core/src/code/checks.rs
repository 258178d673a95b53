//! Errors for types that do not fit: numbers that are too large for them, labels that they lack.
//!
//! The compiler has a lint for it, but that can be switched off, and does not see into dependencies: the function would
//! then answer wrong without a word.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::function::Function;
use super::parameter::Parameter;
use super::returns::ReturnKind;
use super::scope::Scope;
use super::types::{is_nonzero, name, span_of};
use crate::domain::Requirement;
use crate::problem::{Place, Problem};
use crate::tree::{DecisionTree, Subtree};

/// The checks of all parameters and of the return type, and those that fail for all that is seen here.
pub(super) fn checks(
    function: &Function<'_>,
    root: Subtree<'_>,
    scope: &Scope<'_>,
) -> (TokenStream, Vec<Problem>) {
    let mut checks = TokenStream::new();
    let tree = function.tree;
    let mut too_narrow = Vec::new();
    let mut wide_enough = |required: &RequiredWidth<'_>| {
        too_narrow.extend(required.problem());
        required.assertion()
    };
    for (index, (axis, given)) in tree.domain().axes().iter().zip(&scope.parameters).enumerate() {
        let Parameter { name, ty, nameable } = given.parameter;
        let cuts = root.cuts().filter(|(axis, _)| *axis == index);
        let named = named_sizes(tree).filter(|_| axis.name == "comm_size");
        let most = cuts.map(|(axis, at)| tree.threshold(axis, at)).chain(named).max();
        if let (Some(_), Some(most)) = (axis.values(), most) {
            let message =
                format!("the type of `{name}` is too narrow: the decision map compares it with {most}");
            checks.extend(wide_enough(&RequiredWidth { ty, nameable: *nameable, most, message }));
        }
        if let Some((path, labels)) = given.labels().filter(|_| *nameable) {
            checks.extend(no_other_labels(path, labels));
        }
    }
    if let ReturnKind::Id(ty) = &function.returns
        && let answers = root.methods().flatten().chain(tree.fallback())
        && let Some(most) = answers.filter_map(|method| scope.answers.id(method)).max()
    {
        let message = format!("the return type is too narrow: the decision map holds the id {most}");
        checks.extend(wide_enough(&RequiredWidth { ty, nameable: true, most, message }));
    }
    (checks, too_narrow)
}

/// The sizes that conditions name.
fn named_sizes(tree: &DecisionTree) -> impl Iterator<Item = u64> {
    tree.guards().iter().flat_map(|guard| &guard.requirements).filter_map(|requirement| match requirement {
        Requirement::CommSize(only) => Some(*only),
        _ => None,
    })
}

/// An enum that gives labels has a variant for each of them and no other: one that the map does not know would be taken
/// for its last label.
fn no_other_labels(path: &TokenStream, labels: &[Ident]) -> TokenStream {
    let span = span_of(path);
    quote_spanned!(span=> const _: fn(&#path) = |label| match label { #(#path::#labels)|* => {} };)
}

/// The value bits that every integer type has.
const LEAST_BITS: u32 = 7;

/// The value bits of integer types by their names, narrow ones first. How many others have is known when they are compiled.
const UNSIGNED: [(&str, u32); 5] = [("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64), ("u128", 128)];
const SIGNED: [(&str, u32); 5] = [("i8", 7), ("i16", 15), ("i32", 31), ("i64", 63), ("i128", 127)];

/// A number that a type must hold, and what is wrong if it does not. It does when it has as many value bits as the number;
/// a sign bit is none.
struct RequiredWidth<'t> {
    ty: &'t Type,
    nameable: bool,
    most: u64,
    message: String,
}

impl RequiredWidth<'_> {
    fn bits(&self) -> u32 {
        u64::BITS - self.most.leading_zeros()
    }

    /// The check that is compiled.
    fn assertion(&self) -> TokenStream {
        let Self { ty, nameable, message, .. } = self;
        if self.bits() <= LEAST_BITS {
            return TokenStream::new();
        }
        let span = span_of(ty);
        let bits = Literal::u32_unsuffixed(self.bits());
        let get = is_nonzero(ty).then(|| quote!(.get()));
        let is_one_token = ty.to_token_stream().into_iter().count() == 1;
        let ty = if is_one_token { ty.to_token_stream() } else { quote_spanned!(span=> <#ty>) };
        let assertion = quote_spanned!(span=> ::core::assert!(#ty::MAX #get.count_ones() >= #bits, #message));
        if *nameable {
            quote_spanned!(span=> const _: () = #assertion;)
        } else {
            quote_spanned!(span=> const { #assertion };)
        }
    }

    /// What the compiler would say of a type that goes by its name.
    fn problem(&self) -> Option<Problem> {
        let name = name(self.ty)?;
        let mut families = [UNSIGNED, SIGNED].into_iter();
        let family = families.find(|family| family.iter().any(|(known, _)| *known == name))?;
        let (wide_enough, _) = family.iter().find(|(_, bits)| *bits >= self.bits())?;
        let is_narrow = family.iter().any(|(known, bits)| *known == name && *bits < self.bits());
        is_narrow.then(|| Problem::new(Place::File, &*self.message).help(format!("write {wide_enough}")))
    }
}
