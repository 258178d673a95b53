//! The attribute macro of qtdec. Use it through the `qtdec` crate, which documents it.
//!
//! It parses what the user writes, reads the file, and returns the tokens that `qtdec-core` generates.

mod above;
mod arguments;
mod attributes;
mod declared;
mod enumeration;
mod errors;
mod file;
mod function;
mod item;
mod parameters;
mod path;
#[cfg(test)]
mod tests;
mod tokens;
mod warning;

use proc_macro2::TokenStream;
use quote::quote;

use arguments::Arguments;
use errors::Errors;
use item::Item;

/// Turns a measured decision map into a function, or its methods into an enum. See the documentation of the `qtdec` crate.
#[proc_macro_attribute]
pub fn decision_map(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(arguments.into(), &item.into()).into()
}

fn expand(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => {
            errors.push(error);
            return quote!(#errors #item);
        }
    };
    let arguments: Arguments = syn::parse2(arguments).unwrap_or_else(|error| {
        errors.push(error);
        Arguments::default()
    });
    match parsed {
        Item::Function(item) => function::expand(&arguments, &item, errors),
        Item::Enum(item) => enumeration::expand(&arguments, *item, errors),
    }
}
