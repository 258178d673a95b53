//! Compile-time checks for types that do not fit: integers that are too narrow, and enums that lack labels.
//!
//! The compiler has a lint for this, but the lint can be switched off and does not apply to dependencies. Without these checks, the
//! function could silently return wrong decisions.

use super::function::Function;
use super::parameter::Parameter;
use super::returns::ReturnKind;
use super::scope::Scope;
use super::types::{is_nonzero, name, span_of};
use crate::domain::Requirement;
use crate::problem::{Place, Problem};
use crate::tree::DecisionTree;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

/// Generates the checks of all parameters and of the return type, and returns the problems that are already certain.
/// `tree` is that of the function, with one method for each answer.
pub(super) fn checks(
    function: &Function<'_>,
    tree: &DecisionTree,
    scope: &Scope<'_>,
) -> (TokenStream, Vec<Problem>) {
    let mut checks = TokenStream::new();
    let mut too_narrow = Vec::new();
    let mut wide_enough = |required: &RequiredWidth<'_>| {
        too_narrow.extend(required.problem());
        required.assertion()
    };
    for (index, (axis, given)) in function.tree.domain().axes().iter().zip(&scope.parameters).enumerate() {
        let Parameter { name, ty, nameable } = given.parameter;
        let mut most = largest_cut(tree, index);
        if axis.name == "comm_size" {
            most = most.max(largest_named(function.tree));
        }
        if let (Some(_), Some(most)) = (axis.values(), most) {
            let message =
                format!("the type of `{name}` is too narrow: the decision map compares it with {most}");
            checks.extend(wide_enough(&RequiredWidth { ty, nameable: *nameable, most, message }));
        }
        if let Some((path, labels)) = given.labels().filter(|_| *nameable) {
            checks.extend(no_other_labels(path, labels));
        }
    }
    let ids = function.tree.methods().into_iter().filter_map(|method| scope.answers.id(method));
    if let (ReturnKind::Id(ty), Some(most)) = (&function.returns, ids.max()) {
        let message = format!("the return type is too narrow: the decision map holds the id {most}");
        checks.extend(wide_enough(&RequiredWidth { ty, nameable: true, most, message }));
    }
    (checks, too_narrow)
}

/// Returns the largest size on an axis with which the tests of a tree compare.
fn largest_cut(tree: &DecisionTree, axis: usize) -> Option<u64> {
    let cuts = tree.root().cuts().filter(|(cut, _)| *cut == axis);
    cuts.map(|(axis, at)| tree.threshold(axis, at)).max()
}

fn largest_named(tree: &DecisionTree) -> Option<u64> {
    let named = tree.requirements().into_iter().filter_map(|requirement| match requirement {
        Requirement::CommSize(only) => Some(only),
        _ => None,
    });
    named.max()
}

/// Checks that an enum for labels has no variants beyond the labels. An extra variant would be treated as the last label.
fn no_other_labels(path: &TokenStream, labels: &[Ident]) -> TokenStream {
    let span = span_of(path);
    quote_spanned! { span =>
        const _: fn(&#path) = |label| match *label { #(#path::#labels)|* => {} };
    }
}

/// The value bits that every integer type has.
const MIN_BITS: u32 = 7;

/// The value bits of integer types by name, narrow types first. Those of other types are known only when the code is compiled.
const UNSIGNED: [(&str, u32); 5] = [("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64), ("u128", 128)];
const SIGNED: [(&str, u32); 5] = [("i8", 7), ("i16", 15), ("i32", 31), ("i64", 63), ("i128", 127)];

/// The value bits that types of the size of a pointer have on every target.
const POINTER_SIZED: [(&str, u32); 2] = [("usize", 16), ("isize", 15)];

/// A number that a type must be able to hold, and the message if it cannot. A type can hold a number if it has as many value bits, not
/// counting the sign bit.
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

    /// Returns whether the type is wide enough on every target, as far as it is known by name.
    fn is_certain(&self) -> bool {
        let bits = |families: &[(&str, u32)]| {
            let known = name(self.ty)?;
            families.iter().find(|(name, _)| *name == known).map(|(_, bits)| *bits)
        };
        let families = [&POINTER_SIZED[..], &UNSIGNED, &SIGNED];
        families.into_iter().find_map(bits).is_some_and(|bits| bits >= self.bits())
    }

    fn assertion(&self) -> TokenStream {
        let Self { ty, nameable, message, .. } = self;
        if self.bits() <= MIN_BITS || self.is_certain() {
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

    /// Returns the problem that the compiler would report, if the type is known by name.
    fn problem(&self) -> Option<Problem> {
        let name = name(self.ty)?;
        let mut families = [UNSIGNED, SIGNED].into_iter();
        let is_narrow = |(known, bits): &(&str, u32)| *known == name && *bits < self.bits();
        let family = families.find(|family| family.iter().any(is_narrow))?;
        let (wide_enough, _) = family.iter().find(|(_, bits)| *bits >= self.bits())?;
        Some(Problem::new(Place::File, &*self.message).help(format!("write {wide_enough}")))
    }
}
