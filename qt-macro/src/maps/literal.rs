//! The values of literals.

use qtdec_core::tokens::arguments::Value;

use super::code::code;
use crate::front::token::Token;

/// Returns the value of a literal.
pub(super) fn value(token: &Token) -> Option<Value> {
    Value::of(&code(std::slice::from_ref(token)).tokens()[0])
}

/// Returns the value of a string.
pub(crate) fn string(token: &Token) -> Option<String> {
    value(token).filter(|value| matches!(value, Value::Text(_))).map(|value| value.text())
}
