//! The attribute on an empty enum: the methods of one or several files become its variants.

use super::arguments::Arguments;
use super::attributes::attributes;
use super::errors::Errors;
use super::item::Enum;
use super::listing::is_in;
use super::token::{CALL_SITE, Token, parts};

/// An enum that is to be filled.
pub(crate) struct Empty<'t> {
    pub(crate) name: &'t Token,
    pub(crate) visibility: &'t [Token],
    /// The code of the attributes.
    pub(crate) attributes: String,
    /// The names of the items that are requested, between blanks.
    pub(crate) requested: String,
}

/// Reads the files and writes an enum with its items and the errors.
pub(crate) type Fill = fn(&Arguments<'_>, &Empty<'_>, Errors) -> String;

/// The items of an enum that are written on request.
const REQUESTED: &str = " display from_str index all name algorithm segment_size ";

pub(super) fn expand(arguments: &Arguments<'_>, item: &Enum<'_>, mut errors: Errors, fill: Fill) -> String {
    let attributes = attributes(&item.attributes, &mut errors);
    let requested = check(arguments, item, &mut errors);
    let Enum { name, visibility, .. } = *item;
    fill(arguments, &Empty { name, visibility, attributes, requested }, errors)
}

/// Reports what is wrong with the arguments and the enum, and returns the names of the items that are requested.
fn check(arguments: &Arguments<'_>, item: &Enum<'_>, errors: &mut Errors) -> String {
    if arguments.files.is_empty() && errors.is_empty() {
        errors.place(CALL_SITE, "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    let mut requested = String::from(" ");
    for given in &arguments.given {
        let name = given.name.word();
        if is_in(&requested, name) {
            errors.place(given.name.place, &format!("`{name}` is given twice"));
        } else if given.value.is_empty() && is_in(REQUESTED, name) {
            requested += &format!("{name} ");
        } else {
            let message = format!(
                "an enum has no option `{name}`: set it on the function\n\
                 help: the options of an enum are `display`, `from_str` and `index`"
            );
            errors.place(given.name.place, &message);
        }
    }
    if let Some((_, answer)) = arguments.answers.first() {
        errors.place(answer.name.place, "an enum has no answers: give them to the function");
    }
    if item.generics.len() > 2 {
        errors.at(item.generics, "the enum of the methods cannot have generics");
    }
    if let Some(variant) = parts(item.variants).first() {
        errors.at(variant, "the enum must be empty: its variants are the methods of the map");
    }
    requested
}
