//! The expansion of the attribute.

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::parse::{Arguments, Item};
use crate::{enumeration, function};

pub(crate) fn expand(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed: Item = match syn::parse2(item.clone()) {
        Ok(item) => item,
        Err(error) => {
            errors.push(error);
            let errors = errors.to_tokens();
            return quote!(#errors #item);
        }
    };
    let arguments: Arguments = syn::parse2(arguments).unwrap_or_else(|error| {
        errors.push(error);
        Arguments::default()
    });
    match parsed {
        Item::Function(item) => function::expand(&arguments, item, errors),
        Item::Enum(item) => enumeration::expand(&arguments, item, errors),
    }
}
