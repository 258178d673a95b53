//! The values of literals.

use qtdec_core::tokens::arguments;

use super::code::code;
use crate::front::token::Token;

/// Returns the value of a literal as the text of an option.
pub(super) fn value(token: &Token) -> Option<String> {
    arguments::value(&code(std::slice::from_ref(token)).tokens()[0])
}

/// Returns the value of a string.
pub(crate) fn string(token: &Token) -> Option<String> {
    arguments::string(&code(std::slice::from_ref(token)).tokens()[0])
}
