//! The code that computes a decision.

use crate::rust;
use crate::tokens::{Code, Token};

/// The code that computes a decision.
pub(super) struct Decision {
    /// Items that the code needs.
    pub(super) items: Code,
    /// Statements before the value.
    pub(super) statements: Code,
    /// The answer, an expression.
    pub(super) value: Code,
    /// The lints that the code violates.
    pub(super) lints: Vec<&'static str>,
}

impl Decision {
    /// Returns everything except the lints, for use between braces.
    pub(super) fn block(&self) -> Code {
        let Self { items, statements, value, .. } = self;
        rust!("#items #statements #value"; items, statements, value)
    }

    /// Returns the first decision where a condition holds, and the second where it fails.
    pub(super) fn either(condition: &Code, met: &Self, unmet: &Self) -> Self {
        let mut lints = [&met.lints[..], &unmet.lints, &["clippy::too_many_lines"]].concat();
        if [met, unmet].iter().all(|side| !side.statements.tokens().is_empty()) {
            // The first steps to a place in their tables may be equal.
            lints.push("clippy::branches_sharing_code");
        }
        let (met, unmet) = (met.block(), unmet.block());
        let goes_on = matches!(unmet.tokens().first(), Some(Token::Ident(word)) if word.text() == "if");
        let otherwise = if goes_on { unmet } else { rust!("{ #unmet }"; unmet) };
        let value = rust!("if #condition { #met } else #otherwise"; condition, met, otherwise);
        Self { lints, ..Self::alone(value) }
    }

    /// Creates a decision from an answer that needs nothing else.
    pub(super) fn alone(value: Code) -> Self {
        Self { items: Code::new(), statements: Code::new(), value, lints: Vec::new() }
    }
}
