//! The attribute on maps and on every tree.

mod above;
mod arguments;
mod declared;
mod duplicate;
mod enumeration;
mod errors;
mod expand;
mod file;
mod function;
mod item;
mod nameable;
mod parameters;
mod path;
mod slices;
mod spans;
mod warning;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Expands the attribute in a compiler.
pub(crate) fn decision_map(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut spans = spans::Spans::of_compiler();
    let (arguments, item) = (spans.code(arguments), spans.code(item));
    let expanded = expand::expand(&arguments, &item, &mut spans);
    spans.tokens(&expanded)
}

/// Expands the attribute on an item, outside a compiler.
#[cfg(test)]
pub(crate) fn expanded(arguments: &str, item: &str) -> String {
    let [arguments, item] = [arguments, item].map(|text| qtdec_core::tokens::Code::parse(text).unwrap());
    expand::expand(&arguments, &item, &mut spans::Spans::default()).to_string()
}
