//! Numbers in code.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

/// A number without a suffix, its digits in groups of three.
///
/// It stands where the type stands that it must fit: a number in the place of a macro may be too large for its type
/// without a word from the compiler.
pub(super) fn number(value: u64, span: Span) -> TokenStream {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + 6);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && digits.len() > 4 && (digits.len() - position).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    let mut literal: Literal = grouped.parse().expect("digits are a literal");
    literal.set_span(span);
    quote!(#literal)
}
