//! Number literals in code.

use proc_macro2::{Literal, Span};

/// Returns a number without a suffix, with its digits in groups of three.
///
/// Its span is that of the type that it must fit. With the span of a macro, the compiler would silently accept a number that is too
/// large for the type.
pub(super) fn number(value: u64, span: Span) -> Literal {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + 6);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && digits.len() > 4 && (digits.len() - position) % 3 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    let mut literal: Literal = grouped.parse().expect("digits are a literal");
    literal.set_span(span);
    literal
}
