//! The expansion of the attribute.

use qtdec_core::tokens::Code;

use crate::whole::arguments::Arguments;
use crate::whole::errors::Errors;
use crate::whole::item::Item;
use crate::whole::spans::Spans;
use crate::whole::{enumeration, function};

pub(crate) fn expand(arguments: &Code, item: &Code, spans: &mut Spans) -> Code {
    let mut errors = Errors::default();
    let parsed = match Item::parse(item) {
        Ok(item) => item,
        Err(error) => {
            errors.push(error);
            return [errors.to_code(), item.clone()].into_iter().collect();
        }
    };
    let arguments = Arguments::parse(arguments).unwrap_or_else(|error| {
        errors.push(error);
        Arguments::default()
    });
    match parsed {
        Item::Function(item) => function::expand(&arguments, &item, errors, spans),
        Item::Enum(item) => enumeration::expand(&arguments, &item, errors, spans),
    }
}
