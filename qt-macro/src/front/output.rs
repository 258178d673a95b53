//! Generated code as text, with marks for the user's tokens and for places.
//!
//! A mark is a number with a suffix that no Rust has: `17qtdec_token` stands for the user's token at place 17, and `17qtdec_at` gives
//! that place to the next token, or to what is between its braces.

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

/// Returns a token, or code in braces, at a place of the user's.
pub(crate) fn at(place: usize, code: &str) -> String {
    format!(" {place}qtdec_{AT} {code}")
}

/// Returns an item that makes the compiler warn at a place with this message. `#[allow(deprecated)]` on the function silences the warning.
///
/// A macro cannot emit warnings itself, but its expansion can use an item that it declares deprecated. Names in it are in the scope of the
/// attribute's call: without the user's own span, the compiler would attribute the warning to the macro and suppress it.
pub(crate) fn warning(place: usize, message: &str) -> String {
    format!(
        " {place}qtdec_{CALLED} {{
             const _: () = {{
                 #[deprecated(note = {message:?})]
                 const fn decision_map() {{}}
                 decision_map()
             }};
         }}"
    )
}

/// Returns the place and the suffix of a mark.
pub(crate) fn mark(literal: &str) -> Option<(usize, &str)> {
    let (place, suffix) = literal.split_once("qtdec_")?;
    Some((place.parse().ok()?, suffix))
}
