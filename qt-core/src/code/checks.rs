//! Errors for types that do not fit: numbers that are too large for them, labels that they lack.
//!
//! The compiler has a lint for it, but that can be switched off, and does not see into dependencies: the function would
//! then answer wrong without a word.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote_spanned;

use super::answers::Answers;
use super::function::Function;
use super::parameter::{Parameter, Parameters};
use super::returns::{Returns, span_of};
use crate::tree::Subtree;

/// The checks of all parameters and of the return type.
pub(super) fn checks(
    function: &Function<'_>,
    root: Subtree<'_>,
    parameters: &Parameters<'_>,
    answers: &Answers,
) -> TokenStream {
    let tree = function.tree;
    let mut checks = TokenStream::new();
    for (index, (axis, given)) in tree.domain().axes().iter().zip(parameters.iter()).enumerate() {
        let Parameter { name, ty, nameable } = given.parameter;
        let cuts = root.cuts().filter(|(axis, _)| *axis == index);
        let most = cuts.map(|(axis, at)| tree.threshold(axis, at)).max();
        if let (Some(_), Some(most)) = (axis.values(), most) {
            let message =
                format!("the type of `{name}` is too narrow: the decision map compares it with {most}");
            checks.extend(wide_enough(ty, *nameable, most, &message));
        }
        if let Some((path, labels)) = given.labels().filter(|_| *nameable) {
            checks.extend(no_other_labels(path, labels));
        }
    }
    if let Returns::Id(ty) = &function.returns
        && let Some(most) = root.methods().flatten().filter_map(|method| answers.id(method)).max()
    {
        let message = format!("the return type is too narrow: the decision map holds the id {most}");
        checks.extend(wide_enough(ty, true, most, &message));
    }
    checks
}

/// An enum that gives labels has a variant for each of them and no other: one that the map does not know would be taken
/// for its last label.
fn no_other_labels(path: &TokenStream, labels: &[Ident]) -> TokenStream {
    let span = span_of(path);
    quote_spanned!(span=> const _: fn(&#path) = |label| match label { #(#path::#labels)|* => {} };)
}

/// The value bits that every integer type has.
const LEAST_BITS: u32 = 7;

/// A type holds a number when it has as many value bits as the number; a sign bit is none.
fn wide_enough(ty: &TokenStream, nameable: bool, most: u64, message: &str) -> TokenStream {
    let bits = u64::BITS - most.leading_zeros();
    if bits <= LEAST_BITS {
        return TokenStream::new();
    }
    let span = span_of(ty);
    let bits = Literal::u32_unsuffixed(bits);
    let ty = if ty.clone().into_iter().count() == 1 { ty.clone() } else { quote_spanned!(span=> <#ty>) };
    let assertion = quote_spanned!(span=> ::core::assert!(#ty::MAX.count_ones() >= #bits, #message));
    if nameable {
        quote_spanned!(span=> const _: () = #assertion;)
    } else {
        quote_spanned!(span=> const { #assertion };)
    }
}
