//! The attribute on stored trees, small enough that a program hardly waits for it to be compiled.
//!
//! It writes the tokens of `maps` for every tree that it accepts, which a test compares; what it leaves out is refused with one message
//! that names the feature `maps`. What a compiler spends on a crate grows with its lines and with the types for which generic code is
//! compiled. So this room has few lines and few types, depends on no crate, and writes code as text, which the compiler divides into tokens.

#![expect(
    clippy::format_push_string,
    reason = "a compiler takes longer for `write!`, whose result has to be used"
)]

#[cfg(not(feature = "maps"))]
pub(crate) mod advice;
mod answers;
mod branches;
mod decision;
mod enumeration;
mod file;
mod function;
mod json;
#[cfg(not(feature = "maps"))]
pub(crate) mod literal;
mod names;
mod nodes;
mod options;
mod parameters;
mod problem;
mod read;
mod reduced;
#[cfg(all(test, feature = "maps"))]
mod tests;
mod tree;
mod types;

use crate::front::Way;

/// Reads stored trees, and writes the code for them.
pub(crate) const WAY: Way = Way { decide: function::decide, fill: enumeration::fill };
