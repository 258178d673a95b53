//! Generated code as text, with marks for the user's tokens and for places.
//!
//! A mark is a number with a suffix that no Rust has: `17qtdec_token` stands for the user's token at place 17, and `17qtdec_at { … }` for
//! what is between the braces, at that place.

use super::token::Token;

/// The suffixes of marks.
pub(crate) const TOKEN: &str = "token";
pub(crate) const AT: &str = "at";
pub(crate) const CALLED: &str = "called";

/// Returns the marks for some of the user's tokens.
pub(crate) fn user(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        text += &original(token.place);
    }
    text
}

/// Returns the mark for the user's token at a place.
pub(crate) fn original(place: usize) -> String {
    format!(" {place}qtdec_{TOKEN}")
}

/// Returns code at a place of the user's.
pub(crate) fn at(place: usize, code: &str) -> String {
    format!(" {place}qtdec_{AT} {{ {code} }}")
}

/// Returns code at a place of the user's, with names in the scope of the attribute's call. Without the user's own span, the compiler would
/// attribute a warning to the macro and suppress it.
pub(crate) fn called(place: usize, code: &str) -> String {
    format!(" {place}qtdec_{CALLED} {{ {code} }}")
}

/// Returns the place and the suffix of a mark.
pub(crate) fn mark(literal: &str) -> Option<(usize, &str)> {
    let (place, suffix) = literal.split_once("qtdec_")?;
    Some((place.parse().ok()?, suffix))
}
