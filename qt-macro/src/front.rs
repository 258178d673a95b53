//! The front end of the attribute: everything that the user writes, up to the parameter of each axis.
//!
//! It writes code as text with [marks](output) for the user's tokens. A [`Way`] reads the file and writes what follows from it. Without
//! the feature `maps`, the compiler of a user's program waits for this room too, so it has few lines and few types.

#![expect(
    clippy::format_push_string,
    reason = "a compiler takes longer for `write!`, whose result has to be used"
)]

pub(crate) mod arguments;
mod attributes;
pub(crate) mod axis;
mod compiler;
pub(crate) mod enumeration;
pub(crate) mod errors;
pub(crate) mod file;
pub(crate) mod function;
pub(crate) mod item;
pub(crate) mod listing;
pub(crate) mod output;
pub(crate) mod parameters;
#[cfg(all(test, feature = "maps"))]
pub(crate) mod tests;
pub(crate) mod token;

pub(crate) use compiler::decision_map;
use errors::Errors;
use item::Item;
use token::Token;

/// The two things that depend on the files which the attribute reads.
pub(crate) struct Way {
    pub(crate) decide: function::Decide,
    pub(crate) fill: enumeration::Fill,
}

/// Expands the attribute into text with marks.
fn expand(arguments: &[Token], item: &[Token], way: &Way) -> String {
    let mut errors = Errors::default();
    let parsed = match Item::parse(item) {
        Ok(parsed) => parsed,
        Err(at) => {
            errors.at(at, "expected `fn` or an empty `enum`");
            return errors.code() + &output::user(item);
        }
    };
    let arguments = arguments::parse(arguments, &mut errors);
    match parsed {
        Item::Function(item) => function::expand(&arguments, &item, errors, way.decide),
        Item::Enum(item) => enumeration::expand(&arguments, &item, errors, way.fill),
    }
}
