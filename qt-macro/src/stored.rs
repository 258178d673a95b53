//! The attribute on stored trees, small enough that a program hardly waits for it to be compiled.
//!
//! It writes the tokens of `whole` for every tree that it accepts, which a test compares; what it leaves out is refused with one message
//! that names the feature `maps`. What a compiler spends on a crate grows with its lines and with the types for which generic code is
//! compiled. So this room has few lines and few types, depends on no crate, and writes code as text, which the compiler divides into tokens.

#![expect(
    clippy::format_push_string,
    reason = "a compiler takes longer for `write!`, whose result has to be used"
)]

mod answers;
mod arguments;
mod branches;
#[cfg(not(feature = "maps"))]
mod compiler;
mod decision;
mod enumeration;
mod errors;
mod file;
mod function;
mod item;
mod json;
mod names;
mod nodes;
mod output;
mod parameters;
mod problem;
mod read;
mod reduced;
#[cfg(all(test, feature = "maps"))]
mod tests;
mod token;
mod tree;
mod types;

#[cfg(not(feature = "maps"))]
pub(crate) use compiler::decision_map;
use errors::Errors;
use item::Item;
use token::Token;

/// Expands the attribute into text with [marks](output) for the user's tokens.
fn expand(arguments: &[Token], item: &[Token]) -> String {
    let mut errors = Errors::default();
    let Some(parsed) = Item::parse(item) else {
        errors.at(item, "expected `fn` or an empty `enum`");
        return errors.code() + &output::user(item);
    };
    let arguments = arguments::parse(arguments, &mut errors);
    match parsed {
        Item::Function(item) => function::expand(&arguments, &item, errors),
        Item::Enum(item) => enumeration::expand(&arguments, &item, errors),
    }
}
