//! The attribute macro of qtdec. Use it through the `qtdec` crate, which documents it.

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

/// Turns a measured decision map into a function, or its methods into an enum. See the documentation of the `qtdec` crate.
#[proc_macro_attribute]
pub fn decision_map(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let mut spans = spans::Spans::of_compiler();
    let (arguments, item) = (spans.code(arguments), spans.code(item));
    let expanded = expand::expand(&arguments, &item, &mut spans);
    spans.tokens(&expanded)
}
